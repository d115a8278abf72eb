// Every flag of the 400 example commands of MindSpeed-LLM is known to the command that its entry point stands
// for.
#include <gtest/gtest.h>

#include <map>

#include "front/base/file.h"
#include "front/base/text.h"
#include "front/config/settings.h"
#include "front/config/values.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

Command command_of(const std::string& script) {
  static const std::map<std::string, Command> known = {
      {"pretrain_gpt.py", kPretrain},      {"pretrain_deepseek4.py", kPretrain},
      {"posttrain_gpt.py", kPretrain},     {"rlhf_gpt.py", kPretrain},
      {"train_fsdp2.py", kTrain},          {"inference_fsdp2.py", kTrain},
      {"preprocess_data.py", kPreprocess}, {"inference.py", kGenerate},
      {"evaluation.py", kEvaluate},        {"inference_deepseek4.py", kGenerate}};
  const auto found = known.find(script);
  return found == known.end() ? kConvert : found->second;  // convert_ckpt*.py and deepseekv4_ckpt_dequant.py
}

TEST(ScriptFlags, All342HaveADispositionInEveryCommandThatUsesThem) {
  size_t flags = 0;
  for (const std::string& line : split(read_file(test::golden_dir() + "/script_flags.tsv"), '\n')) {
    const std::vector<std::string> columns = split(line, '\t');
    if (columns.size() != 2 || !columns[0].starts_with("--")) continue;
    ++flags;
    for (const std::string& use : split(columns[1], ',')) {  // " pretrain_gpt.py 92"
      const std::string script(split(trim(use), ' ').front());
      const Field* field = FieldTable(command_of(script)).find(canonical_name(columns[0].substr(2)));
      ASSERT_NE(field, nullptr) << columns[0] << " of " << script;
      if (field->disposition == Disposition::refused || field->disposition == Disposition::equivalent) {
        EXPECT_FALSE(field->reason.empty()) << columns[0];
      }
    }
  }
  EXPECT_EQ(flags, 342u);
}

}  // namespace
}  // namespace mindspeed
