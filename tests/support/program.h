// The program itself, run as a user runs it.
#pragma once

#include <string>
#include <vector>

namespace mindspeed::test {

struct Answer {
  int code = -1;
  std::string out, error;
};

// Runs `mindspeed WORDS...` of this build, with no input, and waits for it. A death by a signal is code 128 +
// signal.
Answer run_program(const std::vector<std::string>& words);

// The same for any program, which is looked for as a shell would.
Answer run_command(std::vector<std::string> words);

}  // namespace mindspeed::test
