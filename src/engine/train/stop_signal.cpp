#include "engine/train/stop_signal.h"

namespace mindspeed {
namespace {

// A signal handler can reach nothing but a static object.
volatile sig_atomic_t received_signal = 0;

void remember(int number) { received_signal = number; }

}  // namespace

StopSignal::StopSignal() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  ::sigaction(SIGTERM, &action, &old_term_);
  ::sigaction(SIGINT, &action, &old_int_);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &old_pipe_);
}

StopSignal::~StopSignal() {
  ::sigaction(SIGTERM, &old_term_, nullptr);
  ::sigaction(SIGINT, &old_int_, nullptr);
  ::sigaction(SIGPIPE, &old_pipe_, nullptr);
}

int StopSignal::received() { return received_signal; }

}  // namespace mindspeed
