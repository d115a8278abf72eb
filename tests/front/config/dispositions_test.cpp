// Every flag of MindSpeed's scripts is known; the table itself is sound; help and notes are made from it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/config/command_line.h"
#include "front/config/help.h"
#include "front/config/values.h"
#include "tests/support/qwen3_commands.h"

namespace mindspeed {
namespace {

constexpr Command kCommands[] = {kPretrain, kGenerate, kPreprocess, kConvert, kTrain, kEvaluate,
                                 kDownload};

TEST(FieldTable, EveryRowIsSound) {
  for (const Command command : kCommands) {
    const FieldTable table(command);
    for (const Field* field : table.fields()) {
      EXPECT_FALSE(field->help.empty()) << field->name;
      EXPECT_EQ(
          field->disposition == Disposition::implemented || field->disposition == Disposition::tuning_only,
          field->disposition == Disposition::implemented ? field->reason.empty()
                                                         : field->disposition == Disposition::tuning_only)
          << field->name;
      if (field->disposition == Disposition::refused || field->disposition == Disposition::equivalent) {
        EXPECT_FALSE(field->reason.empty()) << field->name;
      }
      if (field->initial.empty() || field->type == FieldType::list) continue;
      EXPECT_NO_THROW(check_words(*field, {std::string(field->initial)}, field->name)) << field->name;
    }
  }
}

TEST(FieldTable, AllSeventeenPretrainCommandsOfQwen3ParseAndEveryFlagHasADisposition) {
  const auto commands = test::example_commands("pretrain_gpt.py");
  ASSERT_EQ(commands.size(), 17u);
  std::map<std::string, Disposition> seen;
  for (const auto& command : commands) {
    const Settings settings = parse_settings(kPretrain, command.words);
    for (const Setting* setting : settings.all_given())
      seen[std::string(setting->field->name)] = setting->field->disposition;
    EXPECT_EQ(settings.text("tokenizer-name-or-path"), "your tokenizer path") << command.script;
    EXPECT_EQ(settings.real("lr"), 1.25e-6) << command.script;
  }
  EXPECT_EQ(seen.size(), 83u);  // distinct flags of the 17 commands, counted by another program
  EXPECT_EQ(seen.at("use-flash-attn"), Disposition::tuning_only);
  EXPECT_EQ(seen.at("distributed-backend"), Disposition::tuning_only);
  EXPECT_EQ(seen.at("attention-softmax-in-fp32"), Disposition::equivalent);
  EXPECT_EQ(seen.at("num-layers-per-virtual-pipeline-stage"), Disposition::refused);
  EXPECT_EQ(seen.at("num-layers"), Disposition::implemented);
}

TEST(FieldTable, TheFlagsThatThisProgramAddsAreThere) {
  const FieldTable table(kPretrain);
  for (const char* name :
       {"model", "preset", "mock-data", "keep-last", "dry-run", "export-hf", "threads", "loss-curve"})
    EXPECT_NE(table.find(name), nullptr) << name;
  EXPECT_NE(FieldTable(kPreprocess).find("on-error"), nullptr);
  EXPECT_NE(FieldTable(kGenerate).find("stop"), nullptr);
}

TEST(Help, ListsFlagsByGroupAndExplainsOne) {
  const std::string brief = help_of_command(kPretrain, false);
  EXPECT_NE(brief.find("Optimizer:\n"), std::string::npos);
  EXPECT_NE(brief.find("--lr-decay-style TEXT"), std::string::npos);
  EXPECT_EQ(brief.find("--use-flash-attn"), std::string::npos);
  EXPECT_NE(help_of_command(kPretrain, true).find("--use-flash-attn"), std::string::npos);
  const std::string one = help_of_flag("--distributed-backend");
  EXPECT_NE(one.find("gloo is used on CPU"), std::string::npos);
  EXPECT_THROW(help_of_flag("distributed-backand"), Error);
}

TEST(Help, CompletionOffersEveryFlagOfACommand) {
  const FieldTable table(kConvert);
  const std::vector<std::string> words = flag_words(kConvert);
  EXPECT_EQ(words.size(), table.fields().size());
  EXPECT_NE(std::find(words.begin(), words.end(), "--save-dir"), words.end());
}

TEST(Help, StartUpNotesNameEachFlagOnce) {
  const Settings s =
      parse_settings(kPretrain, split("--use-flash-attn --use-ascend-coc --use-mcore-models --lr 1", ' '));
  EXPECT_EQ(disposition_notes(s),
            "  --use-mcore-models: there is one model implementation\n"
            "  no effect on cpu: --use-flash-attn --use-ascend-coc\n");
  const std::string row = settings_table(s, false).substr(settings_table(s, false).find("  lr "));
  EXPECT_EQ(split(row, '\n')[0].substr(0, 4), "  lr");
  EXPECT_TRUE(split(row, '\n')[0].ends_with(" command line")) << row;
  EXPECT_EQ(settings_table(s, false).find("seed"), std::string::npos);
}

}  // namespace
}  // namespace mindspeed
