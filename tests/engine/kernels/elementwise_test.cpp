#include <gtest/gtest.h>

#include <cmath>

#include "engine/kernels/activation.h"
#include "engine/kernels/linear.h"
#include "engine/kernels/norm.h"
#include "engine/kernels/random.h"
#include "engine/kernels/rope.h"
#include "front/base/error.h"
#include "tests/engine/kernels/reference.h"

namespace mindspeed::test {
namespace {

TEST(RmsNorm, ValueAndGradientsEqualFp64) {
  at::manual_seed(5);
  for (const bool offset : {false, true}) {
    const at::Tensor x = leaf({3, 37, 65}), w = leaf({65});
    const at::Tensor y = kernels::rms_norm(x, w, 1e-5, offset);
    const at::Tensor wide = x.to(at::kDouble);
    const at::Tensor expected =
        wide * at::rsqrt(wide.square().mean(-1, true) + 1e-5) * (w.to(at::kDouble) + (offset ? 1.0 : 0.0));
    EXPECT_LE(relative(y, expected), 1e-6);
    const at::Tensor seed = at::randn(y.sizes());
    const auto mine = gradients(y, seed, {x, w}), theirs = gradients(expected, seed.to(at::kDouble), {x, w});
    EXPECT_LE(relative(mine[0], theirs[0]), 2e-6);
    EXPECT_LE(relative(mine[1], theirs[1]), 2e-6);
  }
}

TEST(RmsNorm, EpsilonMattersForTinyInputs) {
  // x = 1e-4: 1e-4 / sqrt(1e-8 + 1e-5) = 0.0316069770; with eps 1e-6: 0.0995037190 (by hand).
  const at::Tensor x = at::full({1, 8}, 1e-4f), w = at::ones({8});
  EXPECT_NEAR(kernels::rms_norm(x, w, 1e-5)[0][0].item<double>(), 0.0316069770, 1e-7);
  EXPECT_NEAR(kernels::rms_norm(x, w, 1e-6)[0][0].item<double>(), 0.0995037190, 1e-7);
}

TEST(Swiglu, ValueAndGradientEqualFp64OverAWideRange) {
  at::manual_seed(6);
  const at::Tensor x = leaf({50, 130}, 20.0);
  const at::Tensor y = kernels::gated_activation(x, Activation::silu);
  const auto halves = x.to(at::kDouble).chunk(2, -1);
  const at::Tensor expected = at::silu(halves[0]) * halves[1];
  EXPECT_LE(relative(y, expected), 1e-6);
  const at::Tensor seed = at::randn(y.sizes());
  EXPECT_LE(relative(gradients(y, seed, {x})[0], gradients(expected, seed.to(at::kDouble), {x})[0]), 2e-6);
}

TEST(Rope, Llama3ScalingBlendsTheMiddleBand) {
  // Head dim 64, theta 500000, factor 32, low 1, high 4, original 8192: pairs 0-14 unchanged, 15-17 blended,
  // 18-31 / 32.
  RopeSpec spec;
  spec.theta = 500000;
  spec.dim = 64;
  const std::vector<double> plain = kernels::rope_inverse_frequencies(spec, 1);
  spec.scaling = RopeScaling::llama3;
  spec.factor = 32;
  spec.low_freq_factor = 1;
  spec.high_freq_factor = 4;
  spec.original_max_position = 8192;
  const std::vector<double> scaled = kernels::rope_inverse_frequencies(spec, 1);
  for (size_t i = 0; i < 32; ++i) {
    if (i <= 14) {
      EXPECT_DOUBLE_EQ(scaled[i], plain[i]) << i;
    }
    if (i >= 18) {
      EXPECT_DOUBLE_EQ(scaled[i], plain[i] / 32) << i;
    }
  }
  EXPECT_NEAR(plain[15], 0.00213112, 1e-8);
  EXPECT_NEAR(scaled[15], 0.00129055, 1e-8);
}

TEST(Rope, AnglesStayExactAtPosition100000) {
  RopeSpec spec;
  spec.dim = 64;
  const kernels::RopeTable table = kernels::rope_table(spec, 100001);
  for (int64_t i = 0; i < 32; ++i) {
    const double angle = 100000.0 * std::pow(10000.0, -2.0 * static_cast<double>(i) / 64.0);
    EXPECT_NEAR(table.cosine[100000][i].item<double>(), std::cos(angle), 1e-6);
  }
  EXPECT_THROW(kernels::rope_to_heads(at::zeros({1, 1, 1, 64}), table, at::full({1, 1}, 100001, at::kLong)),
               Error);
}

TEST(Rope, GradientIsTheInverseRotation) {
  at::manual_seed(8);
  RopeSpec spec;
  spec.dim = 12;
  for (const bool interleaved : {false, true}) {
    spec.interleaved = interleaved;
    const kernels::RopeTable table = kernels::rope_table(spec, 40);
    const at::Tensor x = leaf({2, 9, 3, 16}), positions = at::randint(40, {2, 9}, at::kLong);
    const at::Tensor y = kernels::rope_to_heads(x, table, positions);  // [B, h, T, d]
    // A rotation keeps lengths, and its gradient with seed y is x itself.
    EXPECT_LE(relative(gradients(y, y.detach(), {x})[0], x), 1e-6);
    EXPECT_GT(relative(y.permute({0, 2, 1, 3}), x), 0.1);
    EXPECT_LE(relative(y.permute({0, 2, 1, 3}).narrow(3, 12, 4), x.narrow(3, 12, 4)), 0.0);
  }
}

TEST(Dropout, DependsOnCoordinatesNotOnTheCut) {
  const at::Tensor x = at::ones({3, 40, 64}), samples = at::tensor(std::vector<int64_t>{11, 5, 7});
  const at::Tensor whole = kernels::dropout(x, 0.25, samples, {9, 2, 1, 0});
  const at::Tensor part =
      kernels::dropout(x.narrow(0, 1, 1).narrow(1, 0, 20), 0.25, samples.narrow(0, 1, 1), {9, 2, 1, 20});
  EXPECT_TRUE(at::equal(part[0], whole[1].narrow(0, 20, 20)));
  EXPECT_NEAR(whole.eq(0).to(at::kDouble).mean().item<double>(), 0.25,
              0.02);  // 7680 draws: 4 standard deviations
  EXPECT_FALSE(at::equal(whole, kernels::dropout(x, 0.25, samples, {9, 3, 1, 0})));
}

TEST(Embedding, RepeatedIdsAddUpAndForeignRowsAreZero) {
  const at::Tensor w = leaf({5, 4}), main_grad = at::zeros({5, 4});
  const at::Tensor ids = at::tensor(std::vector<int64_t>{12, 10, 12, 3});  // table holds rows 10..14
  const at::Tensor y = kernels::embedding(ids, w, main_grad, 10);
  EXPECT_TRUE(at::equal(y[0], w[2]));
  EXPECT_EQ(y[3].abs().max().item<float>(), 0.0f);
  gradients(y, at::ones(y.sizes()), {w});
  EXPECT_EQ(main_grad[2][0].item<float>(), 2.0f);
  EXPECT_EQ(main_grad.sum().item<float>(), 3.0f * 4);
}

}  // namespace
}  // namespace mindspeed::test
