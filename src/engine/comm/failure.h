// Failures of communication, and how all ranks learn who caused them.
#pragma once

#include <string>

#include "front/base/error.h"

namespace mindspeed {

// A peer was lost or did not answer in time. The rank that throws it is a victim: run_guarded (comm/init.h)
// asks the watch who the culprit is before it reports.
class CommError : public Error {
 public:
  explicit CommError(const std::string& message) : Error("[comm] " + message) {}
};

}  // namespace mindspeed
