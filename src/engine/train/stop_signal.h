// SIGTERM and SIGINT as a request to save and stop.
#pragma once

#include <signal.h>

namespace mindspeed {

// While an object lives, the first SIGTERM or SIGINT only sets a flag; the second one of the same kind ends
// the process at once. SIGPIPE is ignored: a reader of the log that goes away must not end the run unsaved.
// The flag outlives the object: a request is never lost between two runs. One object at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Number of the signal that came since the last object was made, 0 = none.
  static int received();

 private:
  struct sigaction old_term_ {
  }, old_int_{}, old_pipe_{};
};

}  // namespace mindspeed
