// The real SmolLM2-135M-Instruct (GGUF) against transformers: loss over real text, chat prompts, greedy
// continuations.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/infer/generator.h"
#include "front/base/json.h"
#include "front/convert/open.h"
#include "front/convert/open_tokenizer.h"
#include "front/models/registry.h"
#include "front/tokenizer/chat_encode.h"
#include "tests/support/golden_model.h"
#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

namespace fs = std::filesystem;

std::string gguf_path() {
  for (const auto& entry : fs::directory_iterator("build/fixtures/smollm2_gguf"))
    if (entry.path().extension() == ".gguf") return entry.path().string();
  throw std::runtime_error("no .gguf in build/fixtures/smollm2_gguf: run scripts/fetch_fixtures.sh");
}

class SmolLm2 : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string path = gguf_path();
    const Plan plan = plan_for(models::model_from_config(load_model_config(path), path));
    model_ = std::make_unique<Model>(plan, single_mesh());
    model_->load(*open_weights(path, plan.model, plan.parameters));
  }
  static void TearDownTestSuite() { model_.reset(); }
  static std::unique_ptr<Model> model_;
};
std::unique_ptr<Model> SmolLm2::model_;

TEST_F(SmolLm2, LossOverRealTextEqualsThePeer) {
  const Json golden = read_json(golden_dir() + "/smollm2/loss.json");
  const auto ids = golden.at("ids").get<std::vector<int64_t>>();
  StepContext context = next_token_context(at::tensor(ids).unsqueeze(0), HeadMode::token_loss);
  const at::Tensor nll = model_->stages()[0]->infer({}, context).hidden[0];
  const double mean =
      nll.narrow(0, 0, static_cast<int64_t>(ids.size()) - 1).to(at::kDouble).mean().item<double>();
  EXPECT_TRUE(prove("llama", "parity.loss.smollm2", std::abs(mean - 3.0352412595797618) < 3e-5)) << mean;
  for (int64_t i = 0; i < 64; ++i)
    EXPECT_NEAR(nll[i].item<double>(), golden.at("first_64_nll")[static_cast<size_t>(i)].get<double>(), 2e-3)
        << i;
}

TEST_F(SmolLm2, ChatPromptsHaveThePeersIds) {
  const Tokenizer tokenizer = open_tokenizer(gguf_path());
  for (const Json& golden : read_json(golden_dir() + "/smollm2/greedy.json")) {
    const ChatTemplate chat(tokenizer.chat_templates().at("default"),
                            std::string(*tokenizer.token(*tokenizer.bos())),
                            std::string(*tokenizer.token(*tokenizer.eos())));
    const OrderedJson messages = OrderedJson::parse(golden.at("messages").dump());
    ChatOptions options;
    options.add_generation_prompt = true;
    EXPECT_EQ(chat.render(messages, options), golden.at("rendered").get<std::string>());
    EXPECT_EQ(encode_chat(tokenizer, chat.render_segments(messages, options)),
              golden.at("prompt_ids").get<std::vector<int32_t>>());
  }
}

TEST_F(SmolLm2, GreedyContinuationsEqualThePeerUpToCloseCalls) {
  constexpr double kCloseCall =
      0.005;  // of the top-2 logit margin: below it rounding may choose either token
  GenerationRequest request;
  request.sampling.greedy = true;
  request.max_new_tokens = 40;
  const Json golden = read_json(golden_dir() + "/smollm2/greedy.json");
  for (const Json& one : golden) request.prompts.push_back(one.at("prompt_ids").get<std::vector<int32_t>>());
  const std::vector<Generation> answers = generate(*model_, request);
  bool all = true;
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto expected = golden[i].at("greedy_ids").get<std::vector<int32_t>>();
    const auto margins = golden[i].at("margins").get<std::vector<double>>();
    const auto [mine, theirs] = std::mismatch(answers[i].ids.begin(), answers[i].ids.end(), expected.begin());
    const size_t at = static_cast<size_t>(theirs - expected.begin());
    const bool equal = theirs == expected.end() || margins[at] < kCloseCall;
    EXPECT_TRUE(equal) << "prompt " << i << " differs at token " << at << ", margin " << margins[at];
    all = all && equal && (at == expected.size() || at > 0);
  }
  prove("llama", "decode.greedy.smollm2", all);
}

}  // namespace
}  // namespace mindspeed::test
