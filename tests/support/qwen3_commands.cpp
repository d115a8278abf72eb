#include "tests/support/qwen3_commands.h"

#include <nlohmann/json.hpp>

#include "front/base/file.h"
#include "front/base/json.h"
#include "front/base/text.h"
#include "tests/support/proof.h"

namespace mindspeed::test {

std::vector<ExampleCommand> example_commands(const std::string& entry) {
  std::vector<ExampleCommand> out;
  for (const std::string& line : split(read_file(golden_dir() + "/qwen3_commands.jsonl"), '\n')) {
    if (line.empty()) continue;
    const Json row = parse_json(line, "qwen3_commands.jsonl");
    if (row.at("entry") != entry) continue;
    ExampleCommand command{row.at("script"), {}};
    bool joins = false;  // the next word continues the last one
    for (std::string word : row.at("args")) {
      if (const size_t at = word.find(":-"); word.starts_with("${") && at != std::string::npos)
        word = word.substr(at + 2, word.size() - at - 3);  // ${NAME:-default}
      if (word.starts_with("$")) continue;                 // what the shell would have filled in
      const bool is_flag = word.starts_with("--");
      if (!is_flag && joins)
        command.words.back() += " " + word;
      else
        command.words.push_back(word);
      const bool takes_list = command.words.size() > 1 && command.words[command.words.size() - 2] == "--spec";
      joins = !is_flag && !takes_list;
    }
    out.push_back(std::move(command));
  }
  return out;
}

}  // namespace mindspeed::test
