#include "engine/kernels/attention.h"

#include <gtest/gtest.h>

#include "engine/kernels/random.h"
#include "tests/engine/kernels/reference.h"

namespace mindspeed::test {
namespace {

struct Case {
  const char* name;
  int64_t heads, groups, tokens, width;
  kernels::AttentionOptions options;
  bool documents = false;
  bool dropout = false;
};

at::Tensor visible(const Case& c, const at::Tensor& starts) {
  const at::Tensor i = at::arange(c.tokens, at::kLong).view({1, -1, 1}),
                   j = at::arange(c.tokens, at::kLong).view({1, 1, -1});
  at::Tensor mask = j.le(i).logical_and(j.ge(starts.unsqueeze(-1)));
  if (c.options.window > 0) mask = mask.logical_and(j.gt(i - c.options.window));
  return mask.unsqueeze(1);  // [B, 1, T, T]
}

// Textbook attention in fp64 with materialised probabilities. -> [B, T, h, d]
at::Tensor textbook(const Case& c, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                    const at::Tensor& starts, const at::Tensor& keep) {
  const int64_t repeat = c.heads / c.groups;
  const at::Tensor kk = k.to(at::kDouble).repeat_interleave(repeat, 1),
                   vv = v.to(at::kDouble).repeat_interleave(repeat, 1);
  at::Tensor s = at::matmul(q.to(at::kDouble), kk.transpose(2, 3)) * c.options.scale;
  if (c.options.soft_cap > 0) s = at::tanh(s / c.options.soft_cap) * c.options.soft_cap;
  at::Tensor p = at::softmax(s.masked_fill(visible(c, starts).logical_not(), -1e300), -1);
  if (keep.defined()) p = p * keep.to(at::kDouble);
  return at::matmul(p, vv).permute({0, 2, 1, 3});
}

class CausalAttention : public testing::TestWithParam<Case> {};

TEST_P(CausalAttention, ValueAndGradientsEqualTheTextbook) {
  const Case c = GetParam();
  at::manual_seed(7);
  const at::Tensor q = leaf({2, c.heads, c.tokens, c.width}), k = leaf({2, c.groups, c.tokens, c.width}),
                   v = leaf({2, c.groups, c.tokens, c.width});
  at::Tensor starts = at::zeros({2, c.tokens}, at::kLong), keep;
  if (c.documents) {
    starts.narrow(1, 5, c.tokens - 5).fill_(5);
    starts[1].narrow(0, 70 % c.tokens, c.tokens - 70 % c.tokens).fill_(70 % c.tokens);
  }
  if (c.dropout)
    keep = kernels::attention_dropout_mask(0.3, at::arange(2, at::kLong), {1, 2, 3, 0}, 0, c.heads, c.tokens,
                                           c.tokens);
  const at::Tensor out =
      kernels::causal_attention(q, k, v, c.options, c.documents ? std::optional(starts) : std::nullopt,
                                c.dropout ? std::optional(keep) : std::nullopt);
  const at::Tensor expected = textbook(c, q, k, v, starts, keep);
  EXPECT_LE(relative(out, expected), 1e-6);
  const at::Tensor seed = at::randn(out.sizes());
  const auto mine = gradients(out, seed, {q, k, v}),
             theirs = gradients(expected, seed.to(at::kDouble), {q, k, v});
  for (size_t i = 0; i < 3; ++i) EXPECT_LE(relative(mine[i], theirs[i]), 5e-6) << "qkv"[i];
}

INSTANTIATE_TEST_SUITE_P(Kinds, CausalAttention,
                         testing::Values(Case{"Plain", 4, 4, 33, 16, {0.25, 0, 0}},
                                         Case{"Grouped", 6, 2, 150, 24, {0.2, 0, 0}},
                                         Case{"Window", 4, 2, 150, 16, {0.25, 40, 0}},
                                         Case{"SoftCap", 2, 1, 70, 16, {0.7, 0, 2.0}},
                                         Case{"Documents", 4, 2, 150, 16, {0.25, 0, 0}, true},
                                         Case{"Dropout", 4, 2, 70, 16, {0.25, 0, 0}, false, true},
                                         Case{"OneToken", 2, 2, 1, 8, {0.35, 0, 0}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CachedAttention, LastRowOfTheWholeEqualsOneNewQuery) {
  at::manual_seed(3);
  const at::Tensor q = at::randn({2, 4, 90, 16}), k = at::randn({2, 2, 90, 16}),
                   v = at::randn({2, 2, 90, 16});
  for (const int64_t window : {0, 20}) {
    const kernels::AttentionOptions options{0.25, window, 0};
    const at::Tensor whole = kernels::causal_attention(q, k, v, options);
    const at::Tensor position = at::full({2, 1}, 89, at::kLong);
    const at::Tensor one = kernels::cached_attention(q.narrow(2, 89, 1), k, v, position, options);
    EXPECT_LE(relative(one.squeeze(1), whole.select(1, 89)), 1e-6) << window;
  }
}

}  // namespace
}  // namespace mindspeed::test
