// A run moves between layouts at every stop and follows the run that stayed on one rank.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/train/loop.h"
#include "engine/train/pretrain.h"
#include "front/base/text.h"
#include "front/convert/open.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/reader.h"
#include "tests/support/debug_run.h"
#include "tests/support/golden_model.h"
#include "tests/support/proof.h"
#include "tests/support/ranks.h"

namespace mindspeed {
namespace {

// Argument: folder tp pp dp sharded exit_interval. Trains from the folder's checkpoint to the next stop, and
// puts the loss of every step.
void train_part(test::Rank& rank) {
  const std::vector<std::string> words = split(rank.argument, ' ');
  MeshDegrees degrees;
  degrees.tp = std::stoi(words[1]);
  degrees.pp = std::stoi(words[2]);
  degrees.dp = std::stoi(words[3]);
  Plan plan = test::debug_plan(degrees);
  plan.batch = {.micro = 2, .global = 8, .sequence = 32, .steps = 20, .micro_batches = 4 / degrees.dp};
  plan.optimizer.sharded = words[4] == "1";
  plan.run.exit_interval = std::stoll(words[5]);
  plan.checkpoint.save = plan.checkpoint.load = words[0] + "/checkpoints";
  plan.checkpoint.export_hf = words[0] + "/hf";
  plan.log.jsonl = words[0] + "/log.jsonl";
  const Mesh mesh = rank.mesh(degrees);
  TrainingRun run(plan, mesh, std::make_unique<PretrainObjective>(plan, mesh));
  train_loop(run, {});
}

std::vector<double> losses(const std::string& folder) {
  std::vector<double> out;
  for (const std::string& line : split(read_file(folder + "/log.jsonl"), '\n'))
    if (const size_t at = line.find("\"loss\":"); at != std::string::npos)
      out.push_back(std::stod(line.substr(at + 7)));
  return out;
}

// A whole tensor of a group in the last checkpoint.
at::Tensor saved(const std::string& folder, const std::string& group, const std::string& name) {
  const CheckpointReader reader(*checkpoint_to_load(folder + "/checkpoints"));
  const std::vector<int64_t> shape = reader.metadata().shapes.at(name);
  at::Tensor out = at::empty(shape, at::kFloat);
  reader.read(group, name, whole_region(std::vector<int64_t>(shape.size(), 0), shape), DType::f32,
              {static_cast<std::byte*>(out.data_ptr()), static_cast<size_t>(out.nbytes())});
  return out;
}

TEST(LayoutResume, ARunThatMovesFromTp2ToPp2ToShardedDp2ToOneRankStaysOnItsCourse) {
  const std::string whole = test::temporary_dir("whole"), moved = test::temporary_dir("moved");
  test::ranks(1).run(train_part, whole + " 1 1 1 0 0");
  test::ranks(2).run(train_part, moved + " 2 1 1 0 5");
  test::ranks(2).run(train_part, moved + " 1 2 1 0 10");
  test::ranks(2).run(train_part, moved + " 1 1 2 1 15");
  test::ranks(1).run(train_part, moved + " 1 1 1 0 0");
  const std::vector<double> a = losses(whole), b = losses(moved);
  ASSERT_EQ(a.size(), 20u);
  ASSERT_EQ(b.size(), 20u);
  bool close = true;
  for (size_t i = 0; i < a.size(); ++i) close &= std::abs(a[i] - b[i]) <= 1e-5 * a[i];
  EXPECT_TRUE(test::prove("qwen3", "resume.tp2_pp2_dp2sharded_one", close));
  // Moments are sums of gradients: they must have moved along with the weights.
  for (const char* name : {"embedding.weight", "layers.3.attn.qkv.weight", "layers.0.attn.norm.weight"}) {
    EXPECT_LE(test::relative_error(saved(moved, "exp_avg", name), saved(whole, "exp_avg", name)), 1e-4)
        << name;
    EXPECT_LE(test::relative_error(saved(moved, "model", name), saved(whole, "model", name)), 1e-4) << name;
  }
}

TEST(LayoutResume, TheExportOfTwoTensorParallelRanksIsTheOneOfOneRank) {
  const std::string cut = test::temporary_dir("cut");
  test::ranks(1).run(train_part, cut + " 1 1 1 0 5");  // five steps on one rank ...
  test::ranks(2).run(train_part, cut + " 2 1 1 0 0");  // ... the rest, and the export, on two
  const Plan plan = test::debug_plan();
  const auto exported = open_weights(cut + "/hf", plan.model, plan.parameters);
  for (const ParameterSpec& spec : plan.parameters) {
    if (!spec.tied_to.empty()) continue;
    at::Tensor out = at::empty(spec.shape, at::kFloat);
    exported->read(spec.name, whole(spec.shape), DType::f32,
                   {static_cast<std::byte*>(out.data_ptr()), static_cast<size_t>(out.nbytes())});
    EXPECT_TRUE(at::equal(out, saved(cut, "model", spec.name))) << spec.name;
  }
}

}  // namespace
}  // namespace mindspeed
