// Words are separated by line feeds; the first byte chooses the command.
#include "front/config/command_line.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  if (size == 0) return 0;
  const Command command = kCommands[data[0] % std::size(kCommands)];
  const std::vector<std::string> words = fuzz::pieces(fuzz::text_of(data + 1, size - 1), '\n');
  for (const std::string& word : words)
    if (word.starts_with("--config") || word.starts_with("--yaml")) return 0;  // any file of the machine
  return fuzz::expect_answer([&] { require_no_refused(parse_settings(command, words)); });
}
