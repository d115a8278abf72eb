#include "front/base/json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "front/base/error.h"
#include "front/base/file.h"

namespace mindspeed {
namespace {

template <class J>
J parse_strict(std::string_view text, std::string_view origin) {
  std::vector<std::set<std::string>> keys;
  std::string duplicate;
  const auto watch = [&](int, typename J::parse_event_t event, J& parsed) {
    if (event == J::parse_event_t::object_start) keys.emplace_back();
    if (event == J::parse_event_t::object_end) keys.pop_back();
    if (event == J::parse_event_t::key && !keys.back().insert(parsed.template get<std::string>()).second &&
        duplicate.empty())
      duplicate = parsed.template get<std::string>();
    return true;
  };
  try {
    J value = J::parse(text, watch);
    if (!duplicate.empty()) fail("json", "{}: key \"{}\" stands twice in one object", origin, duplicate);
    return value;
  } catch (const nlohmann::json::exception& e) {
    fail("json", "{}: {}", origin, e.what());
  }
}

}  // namespace

Json parse_json(std::string_view text, std::string_view origin) { return parse_strict<Json>(text, origin); }

OrderedJson parse_ordered_json(std::string_view text, std::string_view origin) {
  return parse_strict<OrderedJson>(text, origin);
}

Json read_json(const std::filesystem::path& path) { return parse_json(read_file(path), path.string()); }

}  // namespace mindspeed
