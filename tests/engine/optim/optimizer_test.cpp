#include "engine/optim/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/optim/gradient_norm.h"
#include "engine/optim/update_kernels.h"
#include "front/base/error.h"

namespace mindspeed {
namespace {

constexpr double kLr = 3e-3, kDecay = 0.1;

OptimizerPlan adam_plan() {
  OptimizerPlan plan;
  plan.beta1 = 0.9;
  plan.beta2 = 0.95;
  plan.eps = 1e-8;
  return plan;
}

OptimRange range_of(at::Tensor value, bool decay = true) {
  return {"w", 0, value, at::zeros({value.numel()}, at::kFloat), decay, true};
}

double largest_difference(const at::Tensor& ours, const at::Tensor& reference) {
  return (ours.to(at::kDouble) - reference).abs().max().item<double>() / reference.abs().max().item<double>();
}

// Five steps of the published formula (Loshchilov and Hutter; torch.optim.AdamW) in fp64.
at::Tensor adam_by_hand(at::Tensor w, const std::vector<at::Tensor>& gradients, double decay) {
  at::Tensor m = at::zeros_like(w), v = at::zeros_like(w);
  int t = 0;
  for (const at::Tensor& g : gradients) {
    ++t;
    w = w * (1 - kLr * decay);
    m = 0.9 * m + 0.1 * g;
    v = 0.95 * v + 0.05 * g * g;
    const at::Tensor corrected = m / (1 - std::pow(0.9, t));
    w = w - kLr * corrected / ((v / (1 - std::pow(0.95, t))).sqrt() + 1e-8);
  }
  return w;
}

void expect_adam(bool decay) {
  at::manual_seed(1);
  const at::Tensor start = at::randn({1003}, at::kFloat);
  std::vector<at::Tensor> gradients;
  for (int i = 0; i < 5; ++i) gradients.push_back(at::randn({1003}, at::kDouble) * 0.01);
  OptimRange range = range_of(start.clone(), decay);
  Optimizer optimizer(adam_plan(), {range});
  for (const at::Tensor& g : gradients) {
    range.gradient.copy_(g);
    optimizer.step(kLr, kDecay, 1.0);
  }
  const at::Tensor reference = adam_by_hand(start.to(at::kDouble), gradients, decay ? kDecay : 0.0);
  EXPECT_LE(largest_difference(range.value, reference), 1e-6);
}

TEST(AdamW, FiveStepsEqualTheFormulaInDoublePrecision) { expect_adam(true); }
TEST(AdamW, ParametersWithoutDecayAreNotDecayed) { expect_adam(false); }

TEST(AdamW, ClippingCoefficientMultipliesTheGradientBeforeTheMoments) {
  OptimRange scaled = range_of(at::ones({5}, at::kFloat)), plain = range_of(at::ones({5}, at::kFloat));
  Optimizer a(adam_plan(), {scaled}), b(adam_plan(), {plain});
  for (int i = 1; i <= 3; ++i) {
    scaled.gradient.fill_(0.5 * i);
    plain.gradient.fill_(0.125 * i);
    a.step(kLr, kDecay, 0.25);
    b.step(kLr, kDecay, 1.0);
  }
  EXPECT_TRUE(at::equal(scaled.value, plain.value));
  EXPECT_TRUE(at::equal(a.states()[1].tensor, b.states()[1].tensor));
}

TEST(AdamW, ManySmallUpdatesMoveABf16WeightThroughItsMaster) {
  // faults.md 21: 1.0 - 100 x 6e-4 = 0.94; without a master copy every update would round away.
  OptimRange range = range_of(at::ones({64}, at::kBFloat16), false);
  OptimizerPlan plan;
  plan.kind = "sgd";
  Optimizer optimizer(plan, {range});
  range.gradient.fill_(6e-4);
  for (int i = 0; i < 100; ++i) optimizer.step(1.0, 0.0, 1.0);
  EXPECT_NEAR(optimizer.states().at(0).tensor[0].item<double>(), 0.94, 1e-5);
  EXPECT_EQ(range.value[0].item<float>(), 0.94140625f);  // the bf16 nearest to 0.94
}

TEST(Sgd, MomentumAndDecayFollowTorchsRule) {
  OptimRange range = range_of(at::full({3}, 2.0, at::kFloat));
  OptimizerPlan plan;
  plan.kind = "sgd";
  plan.momentum = 0.9;
  Optimizer optimizer(plan, {range});
  range.gradient.fill_(1.0);
  optimizer.step(0.1, 0.5, 1.0);  // b = 1 + 0.5 * 2 = 2, w = 1.8
  EXPECT_NEAR(range.value[0].item<double>(), 1.8, 1e-6);
  optimizer.step(0.1, 0.5, 1.0);  // b = 1.8 + 1 + 0.9 = 3.7, w = 1.43
  EXPECT_NEAR(range.value[0].item<double>(), 1.43, 1e-6);
}

TEST(UpdateKernels, Bf16RoundingEqualsTorch) {
  at::Tensor x =
      at::cat({at::randn({4099}, at::kFloat) * 1e3,
               at::tensor({0.0f, -0.0f, 1.00390625f, 1.01171875f, std::numeric_limits<float>::infinity(),
                           3.4e38f, 1e-40f, std::numeric_limits<float>::quiet_NaN()})});
  at::Tensor ours = at::empty(x.sizes(), at::kBFloat16);
  round_to_bf16(x.data_ptr<float>(), static_cast<uint16_t*>(ours.data_ptr()), x.numel());
  EXPECT_TRUE(at::equal(ours.narrow(0, 0, x.numel() - 1), x.to(at::kBFloat16).narrow(0, 0, x.numel() - 1)));
  EXPECT_TRUE(std::isnan(ours[x.numel() - 1].item<float>()));
}

TEST(GradientNorm, EachElementCountsOnceAndClippingStartsAboveTheLimit) {
  std::vector<OptimRange> ranges = {range_of(at::zeros({2}, at::kFloat)),
                                    range_of(at::zeros({1}, at::kFloat)),
                                    range_of(at::zeros({9}, at::kFloat))};
  ranges[0].gradient.copy_(at::tensor({3.0f, 4.0f}));
  ranges[1].gradient.fill_(12.0);
  ranges[2].gradient.fill_(100.0);
  ranges[2].counted = false;
  const GradientNorm result = gradient_norm(ranges, single_mesh(), false);
  EXPECT_DOUBLE_EQ(result.norm, 13.0);
  EXPECT_TRUE(result.finite);
  EXPECT_DOUBLE_EQ(clip_coefficient(13.0, 1.0), 1.0 / (13.0 + 1e-6));
  EXPECT_EQ(clip_coefficient(0.5, 1.0), 1.0);
  EXPECT_EQ(clip_coefficient(13.0, 0.0), 1.0);
}

TEST(GradientNorm, ANaNIsFoundAndItsParameterNamed) {
  std::vector<OptimRange> ranges = {range_of(at::zeros({20000}, at::kFloat)),
                                    range_of(at::zeros({5}, at::kFloat))};
  ranges[1].name = "layers.1.attn.out.weight";
  EXPECT_EQ(first_non_finite(ranges), "");
  ranges[1].gradient[3] = std::numeric_limits<float>::infinity();
  ranges[1].counted = false;  // found even where it is not counted
  EXPECT_FALSE(gradient_norm(ranges, single_mesh(), false).finite);
  EXPECT_EQ(first_non_finite(ranges), "layers.1.attn.out.weight");
}

}  // namespace
}  // namespace mindspeed
