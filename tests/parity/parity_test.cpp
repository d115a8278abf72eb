// Every family against transformers: logits, loss, every gradient, five SGD steps, all within 1e-5.
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "tests/support/golden_model.h"
#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

constexpr double kTolerance = 1e-5;

class Parity : public testing::TestWithParam<const char*> {};

void sgd_step(Model& model, double lr) {
  const c10::AutoGradMode no_grad(false);
  for (Parameter* p : model.parameters().all()) at::Tensor(p->value.detach()).sub_(p->main_grad, lr);
  model.store().zero_gradients();
}

double train_loss(Model& model, const StepContext& context) {
  Stage& stage = *model.stages()[0];
  const Flow loss = stage.forward(0, {}, context);
  stage.backward(0, {});
  return loss.hidden.item<double>();
}

TEST_P(Parity, LogitsEqualThePeer) {
  const GoldenModel g = open_golden(GetParam());
  Model model(g.plan, single_mesh());
  model.load(*g.weights());
  const at::Tensor logits =
      model.stages()[0]->infer({}, next_token_context(g.input_ids, HeadMode::logits)).hidden;
  const double error = relative_error(logits, g.logits);
  EXPECT_TRUE(prove(g.plan.model.family, std::string("parity.logits.") + g.name, error <= kTolerance))
      << error;
}

TEST_P(Parity, LossAndEveryGradientEqualThePeer) {
  const GoldenModel g = open_golden(GetParam());
  Model model(g.plan, single_mesh());
  model.load(*g.weights());
  const double loss = train_loss(model, next_token_context(g.input_ids, HeadMode::loss));
  EXPECT_NEAR(loss, g.loss.item<double>(), kTolerance * g.loss.item<double>());
  bool all = true;
  for (const Parameter* p : model.parameters().all()) {
    const double error = relative_error(p->main_grad, g.gradient(p->spec.name));
    EXPECT_LE(error, kTolerance) << p->spec.name;
    all = all && error <= kTolerance;
  }
  prove(g.plan.model.family, std::string("parity.grads.") + g.name, all);
}

TEST_P(Parity, FiveSgdStepsFollowThePeer) {
  const GoldenModel g = open_golden(GetParam());
  Model model(g.plan, single_mesh());
  model.load(*g.weights());
  const StepContext context = next_token_context(g.input_ids, HeadMode::loss);
  bool all = true;
  for (int64_t i = 0; i < g.sgd_losses.size(0); ++i) {
    const double expected = g.sgd_losses[i].item<double>();
    const double loss = train_loss(model, context);
    EXPECT_NEAR(loss, expected, kTolerance * expected) << "step " << i;
    all = all && std::abs(loss - expected) <= kTolerance * expected;
    sgd_step(model, 0.1);
  }
  prove(g.plan.model.family, std::string("parity.sgd.") + g.name, all);
}

INSTANTIATE_TEST_SUITE_P(Golden, Parity,
                         testing::Values("llama_gqa", "llama_tied", "llama_bias", "llama_rope_llama3",
                                         "llama_rope_linear", "llama_rope_dynamic", "qwen2", "qwen3_tied",
                                         "qwen3_untied", "mistral_window"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace mindspeed::test
