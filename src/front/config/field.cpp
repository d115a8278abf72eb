#include "front/config/field.h"

#include <algorithm>
#include <stdexcept>

#include "front/base/text.h"

namespace mindspeed {

std::string canonical_name(std::string_view spelling) {
  while (spelling.starts_with('-')) spelling.remove_prefix(1);
  std::string name(spelling);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

FieldTable::FieldTable(Command command) : command_(command) {
  for (const FieldGroup& group : field_groups()) {
    if ((group.commands & command) == 0) continue;
    for (const Field& field : group.fields) {
      fields_.push_back(&field);
      index_.push_back({canonical_name(field.name), &field});
      if (field.aliases.empty()) continue;
      for (const std::string& alias : split(field.aliases, '|'))
        index_.push_back({canonical_name(alias), &field});
    }
  }
  std::sort(index_.begin(), index_.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(index_.begin(), index_.end(),
                                        [](const Entry& a, const Entry& b) { return a.name == b.name; });
  if (twice != index_.end()) throw std::logic_error("field table: two rows are named " + twice->name);
}

const Field* FieldTable::find(std::string_view name) const {
  const auto at = std::lower_bound(index_.begin(), index_.end(), name,
                                   [](const Entry& entry, std::string_view key) { return entry.name < key; });
  return at != index_.end() && at->name == name ? at->field : nullptr;
}

const FieldGroup& FieldTable::group_of(const Field& field) const {
  for (const FieldGroup& group : field_groups())
    if (&field >= group.fields.data() && &field < group.fields.data() + group.fields.size()) return group;
  throw std::logic_error("field table: a row outside every group");
}

std::string FieldTable::nearest(std::string_view name) const {
  std::vector<std::string> names;
  names.reserve(index_.size());
  for (const Entry& entry : index_) names.push_back(entry.name);
  return nearest_name(name, names);
}

std::string_view command_name(Command command) {
  switch (command) {
    case kPretrain:
      return "pretrain";
    case kGenerate:
      return "generate, chat";
    case kPreprocess:
      return "preprocess";
    case kConvert:
      return "convert";
    case kTrain:
      return "train";
    case kEvaluate:
      return "evaluate";
    case kDownload:
      return "download";
  }
  return "";
}

std::string_view to_string(Disposition disposition) {
  switch (disposition) {
    case Disposition::implemented:
      return "implemented";
    case Disposition::equivalent:
      return "equivalent";
    case Disposition::tuning_only:
      return "tuning only";
    case Disposition::refused:
      return "refused";
  }
  throw std::logic_error("disposition");
}

std::string_view to_string(FieldType type) {
  switch (type) {
    case FieldType::flag:
      return "switch";
    case FieldType::integer:
      return "integer";
    case FieldType::real:
      return "number";
    case FieldType::text:
      return "text";
    case FieldType::list:
      return "words";
  }
  throw std::logic_error("field type");
}

}  // namespace mindspeed
