#include "front/tokenizer/pipeline/post_processor.h"

#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/tokenizer/pipeline/component.h"

namespace mindspeed::tokenization {
namespace {

constexpr std::string_view kPostProcessor = "post_processor";

void check_id(const std::string& token, int32_t id, const TokenLookup& lookup) {
  const auto known = lookup(token);
  if (!known || *known != id)
    fail("tokenizer", "the post_processor writes \"{}\" as id {}, but that token has {} in the vocabulary",
         token, id, known ? "id " + std::to_string(*known) : "no id");
}

// {"id": token, "ids": [...], "tokens": [...]} of TemplateProcessing.
std::vector<int32_t> template_ids(const Json& component, const std::string& name, const TokenLookup& lookup) {
  const auto all = component.find("special_tokens");
  if (all == component.end() || !all->is_object() || !all->contains(name))
    fail("tokenizer", "the post_processor's template uses \"{}\", which its special_tokens do not define",
         name);
  const Json& entry = (*all)[name];
  const auto ids = get_array(entry, kPostProcessor, "ids").get<std::vector<int32_t>>();
  const auto tokens = get_array(entry, kPostProcessor, "tokens").get<std::vector<std::string>>();
  if (ids.size() != tokens.size())
    fail("tokenizer", "the special token \"{}\" has {} ids and {} tokens", name, ids.size(), tokens.size());
  for (size_t i = 0; i < ids.size(); ++i) check_id(tokens[i], ids[i], lookup);
  return ids;
}

PostProcessor make_template(const Json& component, const TokenLookup& lookup) {
  PostProcessor made;
  bool seen = false;
  for (const Json& item : get_array(component, kPostProcessor, "single")) {
    if (item.contains("Sequence")) {
      if (seen) fail("tokenizer", "the post_processor's template for one text holds two texts");
      seen = true;
    } else if (item.contains("SpecialToken")) {
      const auto ids =
          template_ids(component, get_string(item["SpecialToken"], kPostProcessor, "id", ""), lookup);
      auto& side = seen ? made.after : made.before;
      side.insert(side.end(), ids.begin(), ids.end());
    } else {
      fail("tokenizer", "unknown item {} in the post_processor's template", item.dump());
    }
  }
  if (!seen) fail("tokenizer", "the post_processor's template does not hold the text");
  return made;
}

// ["[SEP]", 102]
int32_t pair_id(const Json& component, std::string_view key, const TokenLookup& lookup) {
  const Json& pair = get_array(component, kPostProcessor, key);
  if (pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number_integer())
    fail("tokenizer", "post_processor.{} is {}; needed [token, id]", key, pair.dump());
  check_id(pair[0].get<std::string>(), pair[1].get<int32_t>(), lookup);
  return pair[1].get<int32_t>();
}

}  // namespace

PostProcessor make_post_processor(const Json& component, const TokenLookup& lookup) {
  if (component.is_null()) return {};
  const std::string type = type_of(component, kPostProcessor);
  if (type == "ByteLevel") {  // moves offsets only, which are not kept here
    require_known_keys(component, kPostProcessor, {"add_prefix_space", "trim_offsets", "use_regex"});
    return {};
  }
  if (type == "TemplateProcessing") {
    require_known_keys(component, kPostProcessor, {"single", "pair", "special_tokens"});
    return make_template(component, lookup);
  }
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    require_known_keys(component, kPostProcessor, {"sep", "cls", "trim_offsets", "add_prefix_space"});
    return {{pair_id(component, "cls", lookup)}, {pair_id(component, "sep", lookup)}};
  }
  if (type == "Sequence") {
    require_known_keys(component, kPostProcessor, {"processors"});
    PostProcessor all;
    for (const Json& part : get_array(component, kPostProcessor, "processors")) {
      const PostProcessor one = make_post_processor(part, lookup);
      all.before.insert(all.before.begin(), one.before.begin(), one.before.end());
      all.after.insert(all.after.end(), one.after.begin(), one.after.end());
    }
    return all;
  }
  refuse_component(kPostProcessor, type);
}

}  // namespace mindspeed::tokenization
