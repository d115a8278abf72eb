// What `mindspeed doctor` finds out, one fact at a time.
#pragma once

#include <string>
#include <vector>

namespace mindspeed {

enum class Health { ok, warn, bad };

struct Finding {
  Health health = Health::ok;
  std::string what;    // "disk"
  std::string value;   // "12.0 GiB free in /data"
  std::string remedy;  // of everything that is not ok
};

using Findings = std::vector<Finding>;

// "ok    disk        12.0 GiB free", and the remedy on a line of its own.
std::string findings_text(const Findings& findings);
// The same as a JSON array.
std::string findings_json(const Findings& findings);
// True unless one is bad.
bool healthy(const Findings& findings);

}  // namespace mindspeed
