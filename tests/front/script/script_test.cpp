// Launch scripts in the manner of MindSpeed-LLM's examples, and what cannot be followed.
#include <gtest/gtest.h>

#include <functional>

#include "front/base/error.h"
#include "front/script/arithmetic.h"
#include "front/script/import_report.h"

namespace mindspeed {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    EXPECT_EQ(e.exit_code(), kExitUsage);
    return e.what();
  }
  return "accepted";
}

// The words of the last command of a text, as bash hands them to a program.
Words last(std::string_view text) { return read_shell(text, "x.sh").commands.back().words; }

TEST(Shell, QuotesVariablesAndDefaultsExpandAsInBash) {
  EXPECT_EQ(last("A='one two'; run $A \"$A\" '$A' \\$A"),
            (Words{"run", "one", "two", "one two", "$A", "$A"}));
  EXPECT_EQ(last("B=x\nrun a${B}c ${C:-d e} \"${C:-d e}\" ${B:-no} ${C:-$B/y}"),
            (Words{"run", "axc", "d", "e", "d e", "x", "x/y"}));
  EXPECT_EQ(last("run \"\" a\"\"b # not this\n"), (Words{"run", "", "ab"}));
  EXPECT_EQ(last("run a\\\n  b \\\n  --c=1 > log 2>&1"), (Words{"run", "a", "b", "--c=1"}));
  EXPECT_EQ(last("run a 2>&1 | tee -a logs/x.log"), (Words{"run", "a"}));
  EXPECT_EQ(last("cd /tmp && X=1 run $X"), (Words{"run", "1"}));
}

TEST(Shell, ArraysKeepTheirWords) {
  EXPECT_EQ(last("L=(a 'b c'\n d # comment\n); L+=(e); run \"${L[@]}\""),
            (Words{"run", "a", "b c", "d", "e"}));
  EXPECT_EQ(last("L=(a 'b c'); run ${L[@]}"), (Words{"run", "a", "b", "c"}));
  EXPECT_EQ(last("run \"$@\" b"), (Words{"run", "b"}));
}

TEST(Shell, ArithmeticIsComputed) {
  EXPECT_EQ(last("N=8; M=2; W=$(($N*M)); run $W $((W / (M + 2) - -1)) $(( 7 % 4 ))"),
            (Words{"run", "16", "5", "3"}));
  const auto none = [](const std::string&) { return std::string("0"); };
  EXPECT_EQ(shell_arithmetic("9223372036854775807 + 1", none), std::nullopt);
  EXPECT_EQ(shell_arithmetic("1 / 0", none), std::nullopt);
  EXPECT_EQ(shell_arithmetic(std::string(5000, '('), none), std::nullopt);
  EXPECT_EQ(shell_arithmetic("a", [](const std::string&) { return std::string("a"); }), std::nullopt);
}

TEST(Shell, WhatCannotBeFollowedIsRefusedWithItsLine) {
  const auto refused = [](const std::string& text) { return refusal([&] { read_shell(text, "x.sh"); }); };
  for (const char* text :
       {"A=1\nfor i in 1 2; do run $i; done", "A=1\nif [ -d x ]; then run; fi", "A=1\ncat <<EOF\nEOF",
        "A=1\nf() { run; }", "A=1\nrun ${A%1}", "A=1\nrun 'open", "A=1\nrun \"open", "A=1\nrun ${A",
        "A=1\nL=(a b", "A=1\nrun $((1+))", "A=1\n(run)"})
    EXPECT_NE(refused(text).find("x.sh:2:"), std::string::npos) << text << ": " << refused(text);
}

constexpr const char* kScript = R"(#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
source /usr/local/Ascend/ascend-toolkit/set_env.sh
# eight cards
NPUS_PER_NODE=8
MASTER_ADDR=localhost
MASTER_PORT=6011
NNODES=1
NODE_RANK=0
WORLD_SIZE=$(($NPUS_PER_NODE*$NNODES))

CKPT_SAVE_DIR="your model save ckpt path"
DATA_PATH="your data path"
TP=2
MBS=${MBS:-1}

DISTRIBUTED_ARGS="
    --nproc_per_node $NPUS_PER_NODE \
    --nnodes $NNODES \
    --node_rank $NODE_RANK \
    --master_addr $MASTER_ADDR \
    --master_port $MASTER_PORT
"

GPT_ARGS="
    --use-mcore-models \
    --tensor-model-parallel-size ${TP} \
    --micro-batch-size ${MBS} \
    --spec mindspeed_llm.tasks.models.spec.qwen3_spec layer_spec
"

torchrun $DISTRIBUTED_ARGS pretrain_gpt.py \
    $GPT_ARGS \
    --data-path "$DATA_PATH" \
    --save $CKPT_SAVE_DIR \
    --distributed-backend nccl \
    | tee logs/train_$(date +%s).log
)";

TEST(LaunchScript, TheExampleOfAMindSpeedScriptBecomesItsWords) {
  const std::vector<ScriptLaunch> launches = find_launches(read_shell(kScript, "x.sh"), "x.sh");
  ASSERT_EQ(launches.size(), 1u);
  const ScriptLaunch& launch = launches[0];
  EXPECT_EQ(launch.line, 32);
  EXPECT_EQ(launch.launcher, "torchrun");
  EXPECT_EQ(launch.ranks, 8);
  EXPECT_EQ(launch.machines, 1);
  EXPECT_EQ(launch.entry, "pretrain_gpt.py");
  EXPECT_EQ(
      launch.words,
      (Words{"--use-mcore-models", "--tensor-model-parallel-size", "2", "--micro-batch-size", "1", "--spec",
             "mindspeed_llm.tasks.models.spec.qwen3_spec", "layer_spec", "--data-path", "your data path",
             "--save", "your", "model", "save", "ckpt", "path", "--distributed-backend", "nccl"}))
      << "an unquoted path with blanks is several words, as in bash";
}

TEST(LaunchScript, OtherLaunchersAreRead) {
  const auto only = [](const std::string& text) {
    return find_launches(read_shell(text, "x.sh"), "x.sh").at(0);
  };
  const ScriptLaunch module = only(
      "nohup python3 -u -m torch.distributed.launch --nproc-per-node=4 --nnodes=2 dir/posttrain_gpt.py "
      "--stage sft &");
  EXPECT_EQ(module.launcher, "python -m torch.distributed.launch");
  EXPECT_EQ(module.ranks, 4);
  EXPECT_EQ(module.machines, 2);
  EXPECT_EQ(module.entry, "dir/posttrain_gpt.py");
  EXPECT_EQ(only("msrun --worker_num 16 --local_worker_num=8 pretrain_gpt.py --bf16").machines, 2);
  EXPECT_EQ(only("python convert_ckpt.py --load-dir a").launcher, "python");
}

TEST(LaunchScript, WhatOnlyRunningCouldTellIsRefusedByName) {
  const auto refused = [](const std::string& text, const std::map<std::string, std::string>& given = {}) {
    return refusal([&] { find_launches(read_shell(text, "x.sh", given), "x.sh"); });
  };
  EXPECT_NE(
      refused("torchrun pretrain_gpt.py --load $CKPT").find("x.sh:1: ${CKPT} has no value in the script"),
      std::string::npos);
  EXPECT_EQ(refused("torchrun pretrain_gpt.py --load $CKPT", {{"CKPT", "a"}}), "accepted");
  EXPECT_NE(refused("D=$(pwd)\ntorchrun pretrain_gpt.py --load $D/x")
                .find("x.sh:2: the launch command needs $(pwd)"),
            std::string::npos);
  EXPECT_NE(refused("torchrun --nproc_per_node gpu pretrain_gpt.py").find("--nproc_per_node 'gpu' came"),
            std::string::npos);
  EXPECT_NE(refused("echo hello").find("no launch was found"), std::string::npos);
}

TEST(ImportReport, SaysWhatBecomesOfEachFlag) {
  const ScriptLaunch launch = find_launches(
      read_shell("torchrun --nproc_per_node 2 pretrain_gpt.py --lr 1e-4 --use-flash-attn --lora-r=8 "
                 "--trian-iters 3 --save 'your save path'",
                 "x.sh"),
      "x.sh")[0];
  EXPECT_EQ(our_words(launch, "pretrain")[0], "launch");
  const std::string report = import_report(launch, "pretrain", kPretrain, "x.sh");
  for (const char* part :
       {"x.sh:1: torchrun starts pretrain_gpt.py on 1 x 2 ranks", "--nproc 2 -- pretrain",
        "--save 'your save path'", "tuning only: ", "refused: adapters are not built yet",
        "UNKNOWN (did you mean --train-iters?)", "Placeholder: 'your save path'", "1 flags are unknown"})
    EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
}

}  // namespace
}  // namespace mindspeed
