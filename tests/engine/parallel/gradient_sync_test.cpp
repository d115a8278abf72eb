// Gradients between the last backward and the optimizer, with numbers worked out by hand.
#include "engine/parallel/gradient_sync.h"

#include <gtest/gtest.h>

#include "engine/optim/gradient_norm.h"
#include "tests/support/ranks.h"

namespace mindspeed::test {
namespace {

// A parameter table of a pretend layer: "cut" [12] is cut by tp, "copy" [2] is replicated.
std::vector<std::unique_ptr<Parameter>> two_parameters(const Mesh& mesh, bool partial = false) {
  std::vector<std::unique_ptr<Parameter>> parameters;
  const auto add = [&](const std::string& name, int64_t elements, int tp_dim) {
    auto parameter = std::make_unique<Parameter>();
    parameter->spec.name = name;
    parameter->spec.shape = {elements};
    parameter->spec.tp_dim = tp_dim;
    parameter->spec.layer = 0;
    if (partial && tp_dim < 0) parameter->spec.partial_over = {Axis::tp};
    parameter->shard = shard_of(parameter->spec, mesh.tp_rank, mesh.degrees.tp);
    parameters.push_back(std::move(parameter));
  };
  add("cut", 4, 0);
  add("copy", 2, -1);
  return parameters;
}

std::vector<Parameter*> pointers(const std::vector<std::unique_ptr<Parameter>>& parameters) {
  std::vector<Parameter*> result;
  for (const auto& parameter : parameters) result.push_back(parameter.get());
  return result;
}

void fill(at::Tensor& tensor, std::initializer_list<float> values) {
  at::Tensor plain = tensor.detach();
  int64_t i = 0;
  for (const float value : values) plain[i++] = value;
}

TEST(GradientNorm, CountsReplicasOnceAndSumsShards) {
  ranks(2).run([](Rank& rank) {
    const Mesh mesh = rank.mesh({.tp = 2});
    auto parameters = two_parameters(mesh);
    ParameterStore store(pointers(parameters), DType::f32, 1);
    // The logical gradient is [0, 12, 0, 0] for the cut tensor and [3, 4] for the replicated one: 5, 12
    // -> 13.
    if (rank.index == 0) fill(parameters[0]->main_grad, {0, 12});
    fill(parameters[1]->main_grad, {3, 4});
    GradientSync sync(store, mesh, false);
    sync.reduce();
    EXPECT_DOUBLE_EQ(gradient_norm(sync.ranges(), mesh, false).norm, 13.0);
  });
}

TEST(GradientSync, SumsPartialGradientsOverTensorParallelRanks) {
  ranks(2).run([](Rank& rank) {
    const Mesh mesh = rank.mesh({.tp = 2});
    auto parameters = two_parameters(mesh, /*partial=*/true);
    ParameterStore store(pointers(parameters), DType::f32, 1);
    fill(parameters[0]->main_grad, {rank.index + 1.0f, 0});
    fill(parameters[1]->main_grad, {1, rank.index + 1.0f});
    GradientSync(store, mesh, false).reduce();
    EXPECT_EQ(parameters[0]->main_grad[0].item<float>(), rank.index + 1.0f);  // a shard stays as it is
    EXPECT_EQ(parameters[1]->main_grad[0].item<float>(), 2);
    EXPECT_EQ(parameters[1]->main_grad[1].item<float>(), 3);
  });
}

TEST(GradientSync, ShardedOwnersHoldTheSumAndAllRanksGetTheValues) {
  ranks(3).run([](Rank& rank) {
    const Mesh mesh = rank.mesh({.dp = 3});
    auto parameters = two_parameters(mesh);
    ParameterStore store(pointers(parameters), DType::f32, 3);
    fill(parameters[0]->main_grad, {0, 4, 0, 0});
    fill(parameters[1]->main_grad, {rank.index + 0.0f, 4.0f / 3});  // sum over ranks: 3, 4
    GradientSync sync(store, mesh, true);
    sync.reduce();
    const std::vector<OptimRange> mine = sync.ranges();
    EXPECT_NEAR(gradient_norm(mine, mesh, true).norm, 13.0, 1e-6);  // 12, 3, 4, whoever owns them
    for (const OptimRange& range : mine) at::Tensor(range.value).fill_(rank.index + 1.0f);
    sync.gather_values();
    // The store is 64-aligned: "cut" lies in the range of rank 0, "copy" in that of rank 1.
    EXPECT_EQ(parameters[0]->value[3].item<float>(), 1);
    EXPECT_EQ(parameters[1]->value[0].item<float>(), 2);
    EXPECT_EQ(mine.size(), rank.index < 2 ? 1u : 0u);
  });
}

TEST(GradientSync, TiedCopiesOnFirstAndLastStageBothGetTheSum) {
  ranks(3).run([](Rank& rank) {
    const Mesh mesh = rank.mesh({.pp = 3});
    auto parameters = two_parameters(mesh);
    parameters[0]->spec.vocab_rows = true;
    parameters[0]->spec.layer = rank.index == 0 ? kEmbeddingLayer : rank.index == 1 ? 5 : kHeadLayer;
    parameters[0]->tied_copy = rank.index == 2;
    ParameterStore store(pointers(parameters), DType::f32, 1);
    fill(parameters[0]->main_grad, {rank.index + 1.0f, 0, 0, 0});
    GradientSync sync(store, mesh, false);
    sync.reduce();
    EXPECT_EQ(parameters[0]->main_grad[0].item<float>(), rank.index == 1 ? 2 : 4);
    // Counted: 4 on the first stage, 2 on the middle one; the copy on the last stage is not.
    EXPECT_NEAR(gradient_norm(sync.ranges(), mesh, false).norm, std::sqrt(16.0 + 4.0), 1e-12);
  });
}

}  // namespace
}  // namespace mindspeed::test
