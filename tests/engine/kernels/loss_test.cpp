#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/kernels/cross_entropy.h"
#include "engine/kernels/linear.h"
#include "tests/engine/kernels/reference.h"

namespace mindspeed::test {
namespace {

struct Problem {
  at::Tensor hidden = leaf({700, 24}), weight = leaf({96, 24}, 0.5);
  at::Tensor labels = at::randint(90, {700}, at::kLong);
  at::Tensor weights = at::rand({700}) * at::rand({700}).gt(0.4);
  static constexpr int64_t kVocabulary = 90;  // rows 90..95 are padding

  at::Tensor textbook(double scale, double cap) const {
    at::Tensor z =
        at::mm(hidden.to(at::kDouble), weight.to(at::kDouble).t()).narrow(1, 0, kVocabulary) * scale;
    if (cap > 0) z = at::tanh(z / cap) * cap;
    const at::Tensor nll = -at::log_softmax(z, 1).gather(1, labels.unsqueeze(1)).squeeze(1);
    return (nll * weights).sum();
  }
};

TEST(LinearCrossEntropy, ValueAndGradientsEqualTheTextbook) {
  at::manual_seed(1);
  for (const auto& [scale, cap] : {std::pair{1.0, 0.0}, {0.5, 0.0}, {1.0, 3.0}}) {
    Problem p;
    const at::Tensor main_grad = at::full(p.weight.sizes(), 2.0);
    const kernels::HeadWeight head{p.weight, main_grad, 0, Problem::kVocabulary, scale, cap, {}};
    const at::Tensor loss = kernels::linear_cross_entropy(p.hidden, head, p.labels, p.weights);
    const at::Tensor expected = p.textbook(scale, cap);
    EXPECT_LE(relative(loss, expected), 1e-6);
    const at::Tensor one = at::ones({});
    const auto theirs = gradients(expected, one.to(at::kDouble), {p.hidden, p.weight});
    EXPECT_LE(relative(gradients(loss, one, {p.hidden})[0], theirs[0]), 2e-6) << scale << " " << cap;
    EXPECT_LE(relative(main_grad - 2.0, theirs[1]), 2e-6) << scale << " " << cap;
  }
}

TEST(LinearCrossEntropy, TwoVocabularyShardsGiveTheWhole) {
  at::manual_seed(2);
  Problem p;
  const c10::AutoGradMode no_grad(false);
  p.hidden = p.hidden.narrow(0, 0, 500);  // one chunk, so that the callbacks below see all rows at once
  p.labels = p.labels.narrow(0, 0, 500);
  const at::Tensor whole =
      kernels::token_nll(p.hidden, {p.weight, std::nullopt, 0, Problem::kVocabulary, 1.0, 0.0, {}}, p.labels);
  // Shard 1 alone, with shard 0's statistics merged in by the callbacks.
  const at::Tensor z0 = at::mm(p.hidden, p.weight.narrow(0, 0, 48).t());
  const at::Tensor top0 = std::get<0>(z0.max(1));
  at::Tensor top;
  int sums = 0;
  kernels::VocabularyReduce reduce;
  reduce.maximum = [&](at::Tensor& t) { top = t.copy_(at::maximum(t, top0)); };
  reduce.sum = [&](at::Tensor& t) {
    if (sums++ == 0)
      t.add_((z0 - top.unsqueeze(1)).exp().sum(1));
    else
      t.add_(at::where(p.labels.lt(48), z0.gather(1, p.labels.clamp_max(47).unsqueeze(1)).squeeze(1),
                       at::zeros({})));
  };
  const at::Tensor shard = kernels::token_nll(
      p.hidden, {p.weight.narrow(0, 48, 48), std::nullopt, 48, Problem::kVocabulary - 48, 1.0, 0.0, reduce},
      p.labels);
  EXPECT_LE(relative(shard, whole), 1e-6);
}

TEST(LinearCrossEntropy, ALargeVocabularyOfSmallProbabilitiesLosesNothing) {
  // One logit of 8 among 50,000 of about 0: nll of the first = log(1 + 49999 e^-8) = 2.8796... in fp64.
  const at::Tensor hidden = at::ones({1, 1});
  at::Tensor weight = at::zeros({50000, 1});
  weight[0][0] = 8.0f;
  const at::Tensor nll =
      kernels::token_nll(hidden, {weight, std::nullopt, 0, 50000, 1.0, 0.0, {}}, at::zeros({1}, at::kLong));
  EXPECT_NEAR(nll[0].item<double>(), std::log1p(49999.0 * std::exp(-8.0)), 1e-6);
}

// Fault 1: one token of loss 4 and three of loss 1, in two micro-batches: (4 + 3) / 4, not (4 + 1) / 2.
TEST(Fault1, TwoMicroBatchesOfOneAndThreeTokensWeighEveryTokenAlike) {
  // Two classes: a lead of d for the wrong one costs log(1 + e^d), so d = log(e^loss - 1).
  const auto loss_of = [](double nll, const at::Tensor& row_weights) {
    const at::Tensor weight = at::zeros({2, 1}), main_grad = at::zeros({2, 1});
    weight[1][0] = std::log(std::expm1(nll));
    return kernels::linear_cross_entropy(at::ones({row_weights.size(0), 1}),
                                         {weight, main_grad, 0, 2, 1.0, 0.0, {}},
                                         at::zeros({row_weights.size(0)}, at::kLong), row_weights)
        .item<double>();
  };
  const at::Tensor one = at::tensor({0.25f, 0.0f, 0.0f}), three = at::full({3}, 0.25);
  EXPECT_NEAR(loss_of(4.0, one) + loss_of(1.0, three), 1.75, 1e-6);
}

TEST(LinearCrossEntropy, RowsWithoutWeightContributeNothing) {
  Problem p;
  p.weights.zero_();
  const at::Tensor main_grad = at::zeros(p.weight.sizes());
  const at::Tensor loss = kernels::linear_cross_entropy(
      p.hidden, {p.weight, main_grad, 0, Problem::kVocabulary, 1.0, 0.0, {}}, p.labels, p.weights);
  EXPECT_EQ(loss.item<float>(), 0.0f);
  EXPECT_EQ(gradients(loss, at::ones({}), {p.hidden})[0].abs().max().item<float>(), 0.0f);
  EXPECT_EQ(main_grad.abs().max().item<float>(), 0.0f);
}

TEST(Linear, MainGradAccumulatesAndBiasComesFromAutograd) {
  at::manual_seed(4);
  const at::Tensor x = leaf({3, 5, 8}), w = leaf({6, 8}), b = leaf({6});
  const at::Tensor main_grad = at::ones({6, 8}), seed = at::randn({3, 5, 6});
  const auto mine = gradients(kernels::linear(x, w, main_grad, b), seed, {x, w, b});
  const auto theirs = gradients(at::linear(x, w, b), seed, {x, w, b});
  EXPECT_LE(relative(mine[0], theirs[0]), 1e-6);
  EXPECT_FALSE(mine[1].defined());
  EXPECT_LE(relative(main_grad - 1.0, theirs[1]), 1e-5);
  EXPECT_LE(relative(mine[2], theirs[2]), 1e-6);
}

}  // namespace
}  // namespace mindspeed::test
