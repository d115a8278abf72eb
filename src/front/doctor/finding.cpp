#include "front/doctor/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "front/base/json.h"

namespace mindspeed {
namespace {

const char* name_of(Health health) {
  return health == Health::ok ? "ok" : health == Health::warn ? "warn" : "bad";
}

}  // namespace

std::string findings_text(const Findings& findings) {
  std::string out;
  for (const Finding& f : findings) {
    out += fmt::format("{:<5} {:<14} {}\n", name_of(f.health), f.what, f.value);
    if (!f.remedy.empty()) out += fmt::format("{:<20} -> {}\n", "", f.remedy);
  }
  return out;
}

std::string findings_json(const Findings& findings) {
  OrderedJson list = OrderedJson::array();
  for (const Finding& f : findings)
    list.push_back(
        {{"health", name_of(f.health)}, {"what", f.what}, {"value", f.value}, {"remedy", f.remedy}});
  return list.dump(1) + "\n";
}

bool healthy(const Findings& findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& f) { return f.health == Health::bad; });
}

}  // namespace mindspeed
