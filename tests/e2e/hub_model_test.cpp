// From the name of a model on a hub to a result, through the program.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "front/base/file.h"
#include "tests/front/hub/hub_server.h"
#include "tests/support/program.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::run_program;

// A golden model with SmolLM2's tokenizer beside it.
std::map<std::string, std::string> repository() {
  const fs::path model = test::golden_dir() + "/hf/qwen3_tied", tokenizer = test::golden_dir() + "/tokenizers/smollm2";
  std::map<std::string, std::string> files;
  for (const char* name : {"config.json", "model.safetensors"}) files[name] = read_file(model / name);
  for (const char* name : {"tokenizer.json", "tokenizer_config.json"}) files[name] = read_file(tokenizer / name);
  return files;
}

TEST(HubModel, NameInPlaceOfAFolder) {
  test::HubServer server(repository());
  const fs::path folder = test::temporary_dir("hub_model");
  ::setenv("HF_ENDPOINT", server.endpoint().c_str(), 1);
  ::setenv("HF_HUB_CACHE", (folder / "cache").c_str(), 1);
  const std::vector<std::string> words = {"pretrain",    "--model",       "team/model", "--mock-data",
                                          "--seq-length", "16",           "--train-iters", "2",
                                          "--lr",        "1e-3",          "--global-batch-size", "2",
                                          "--export-hf", (folder / "out").string()};
  std::vector<std::string> dry = words;
  dry.emplace_back("--dry-run");
  EXPECT_EQ(run_program(dry).code, 0);
  for (const auto& request : server.file_requests())
    EXPECT_EQ(request.path.find("safetensors"), std::string::npos) << "a dry run leaves the weights on the hub";

  const test::Answer trained = run_program(words);
  EXPECT_EQ(trained.code, 0) << trained.error;
  EXPECT_TRUE(fs::exists(folder / "out/model.safetensors"));

  server.stop();
  std::vector<std::string> offline = words;
  offline.emplace_back("--offline");
  EXPECT_EQ(run_program(offline).code, 0);
  const test::Answer download = run_program({"download", "--model", "team/model", "--offline"});
  EXPECT_EQ(download.out.substr(0, download.out.find('\n')),
            (folder / "cache/models--team--model/snapshots" / test::HubServer::kCommit).string());
  EXPECT_TRUE(test::prove("hub", "e2e.name_to_trained_model", !HasFailure()));
}

// A word that is neither a folder nor on the hub ends at once, with both said.
TEST(HubModel, UnknownNameIsExplained) {
  test::HubServer server({});
  ::setenv("HF_ENDPOINT", server.endpoint().c_str(), 1);
  const test::Answer answer = run_program({"generate", "--model", "other/model", "--prompt", "x"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_NE(answer.error.find("other/model is no file or folder here"), std::string::npos) << answer.error;
}

}  // namespace
}  // namespace mindspeed
