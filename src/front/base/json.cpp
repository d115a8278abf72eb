#include "front/base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

// The library puts "[json.exception.NAME.NUMBER] " in front.
std::string_view without_code(std::string_view what) {
  const size_t end = what.starts_with('[') ? what.find("] ") : std::string_view::npos;
  return end == std::string_view::npos ? what : what.substr(end + 2);
}

// Where and what: "line 3, column 7: syntax error while parsing value - unexpected end of input ...".
std::string describe(const nlohmann::json::parse_error& error, std::string_view text) {
  if (trim(text).empty()) return "is empty; JSON was needed";
  std::string_view what = without_code(error.what());
  if (const size_t colon = what.find(": ");
      what.starts_with("parse error") && colon != std::string_view::npos)
    what = what.substr(colon + 2);
  const std::string_view before = text.substr(0, std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0));
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return fmt::format("is no valid JSON, line {}, column {}: {}",
                     1 + std::count(before.begin(), before.end(), '\n'), before.size() - line_start + 1,
                     what);
}

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
  } catch (const nlohmann::json::parse_error& e) {
    fail("json", "{}: {}", origin, describe(e, text));
  } catch (const nlohmann::json::exception& e) {
    fail("json", "{}: {}", origin, without_code(e.what()));
  }
}

}  // namespace

Json parse_json(std::string_view text, std::string_view origin) { return parse_strict<Json>(text, origin); }

OrderedJson parse_ordered_json(std::string_view text, std::string_view origin) {
  return parse_strict<OrderedJson>(text, origin);
}

Json read_json(const std::filesystem::path& path) { return parse_json(read_file(path), path.string()); }

}  // namespace mindspeed
