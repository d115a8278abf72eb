// The field table: every flag that the program knows, as data. Parsing, help, completion, YAML keys, printing
// and saving are made from it. Names are Megatron's and MindSpeed-LLM's, without the leading dashes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed {

enum class FieldType { flag, integer, real, text, list };  // flag: present or absent; list: one or more words

// What happens to a flag that the user gives.
enum class Disposition {
  implemented,  // does what it says
  equivalent,   // same effect by another way, said once at start-up
  tuning_only,  // speeds up a device that we are not on, listed once at start-up
  refused,      // stops the run with the reason, unless the value is the neutral one
};

// Which sub-commands read a group of fields; a bit set.
enum Command : unsigned {
  kPretrain = 1u << 0,
  kGenerate = 1u << 1,  // generate and chat
  kPreprocess = 1u << 2,
  kConvert = 1u << 3,
  kTrain = 1u << 4,  // MindSpeed's fsdp YAML keys
  kEvaluate = 1u << 5,
  kDownload = 1u << 6,
};

// All of them, and their names for people ("generate, chat").
inline constexpr Command kCommands[] = {kPretrain, kGenerate, kPreprocess, kConvert, kTrain, kEvaluate,
                                       kDownload};
std::string_view command_name(Command command);

// One row. The methods return a changed copy, so that a row reads as one sentence.
struct Field {
  std::string_view name;
  FieldType type = FieldType::flag;
  std::string_view initial;  // default as the user would write it; empty = not set
  std::string_view help;
  Disposition disposition = Disposition::implemented;
  std::string_view reason;   // of every disposition but implemented
  std::string_view choices;  // separated by '|'; empty = any
  std::string_view aliases;  // separated by '|'
  std::string_view neutral;  // values, separated by '|', with which a refused flag changes nothing
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above_low = false;  // low itself is not allowed

  constexpr Field at_least(double bound) const {
    auto f = *this;
    f.low = bound;
    return f;
  }
  constexpr Field above(double bound) const {
    auto f = *this;
    f.low = bound;
    f.above_low = true;
    return f;
  }
  constexpr Field between(double from, double to) const {
    auto f = *this;
    f.low = from;
    f.high = to;
    return f;
  }
  constexpr Field any_size() const {
    auto f = *this;
    f.high = std::numeric_limits<double>::infinity();
    return f;
  }
  constexpr Field one_of(std::string_view values) const {
    auto f = *this;
    f.choices = values;
    return f;
  }
  constexpr Field alias(std::string_view names) const {
    auto f = *this;
    f.aliases = names;
    return f;
  }
  constexpr Field off_at(std::string_view values) const {
    auto f = *this;
    f.neutral = values;
    return f;
  }
  constexpr Field equivalent(std::string_view why) const { return with(Disposition::equivalent, why); }
  constexpr Field tuning(std::string_view why = "") const { return with(Disposition::tuning_only, why); }
  constexpr Field refused(std::string_view why) const { return with(Disposition::refused, why); }

 private:
  constexpr Field with(Disposition d, std::string_view why) const {
    auto f = *this;
    f.disposition = d;
    f.reason = why;
    return f;
  }
};

namespace rows {  // the words that table files are written in
constexpr Field make(FieldType type, std::string_view name, std::string_view initial, std::string_view help) {
  Field field;
  field.name = name;
  field.type = type;
  field.initial = initial;
  field.help = help;
  return field;
}
using Words = std::string_view;
// Integers end here unless a row says otherwise: no product of two of them overflows.
constexpr double kLargest = std::numeric_limits<int32_t>::max();
constexpr Field flag(Words name, Words help) { return make(FieldType::flag, name, "", help); }
constexpr Field integer(Words name, Words initial, Words help) {
  Field field = make(FieldType::integer, name, initial, help);
  field.high = kLargest;
  return field;
}
constexpr Field real(Words name, Words initial, Words help) {
  return make(FieldType::real, name, initial, help);
}
constexpr Field text(Words name, Words initial, Words help) {
  return make(FieldType::text, name, initial, help);
}
constexpr Field list(Words name, Words initial, Words help) {
  return make(FieldType::list, name, initial, help);
}
}  // namespace rows

struct FieldGroup {
  std::string_view name;  // section name in YAML and in help
  std::string_view title;
  unsigned commands = 0;  // bit set of Command
  std::span<const Field> fields;
};

// All groups in the order of the help. A name may stand in several groups if no command reads two of them.
std::span<const FieldGroup> field_groups();

// Lower-case words with hyphens: "--lr_decay_style" and "lr-decay-style" name the same field.
std::string canonical_name(std::string_view spelling);

// The fields that one sub-command reads, by name and alias.
class FieldTable {
 public:
  explicit FieldTable(Command command);
  Command command() const { return command_; }
  // The row of a canonical name or alias, or nullptr.
  const Field* find(std::string_view name) const;
  // The group that holds a row of this table.
  const FieldGroup& group_of(const Field& field) const;
  std::span<const Field* const> fields() const { return fields_; }
  // The most similar name in this table, or empty.
  std::string nearest(std::string_view name) const;

 private:
  struct Entry {
    std::string name;
    const Field* field;
  };
  Command command_;
  std::vector<const Field*> fields_;
  std::vector<Entry> index_;  // sorted by name; names and aliases
};

std::string_view to_string(Disposition disposition);
std::string_view to_string(FieldType type);

}  // namespace mindspeed
