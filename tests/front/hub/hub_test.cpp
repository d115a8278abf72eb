// Models from a hub: the cache's layout, and every fault of a connection.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/config/command_line.h"
#include "front/hub/fetch.h"
#include "tests/front/hub/hub_server.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using test::HubFaults;
using test::HubServer;

const HubReference kModel{"team/model", ""};

std::string weights() {
  std::string out(300'000, '\0');
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(i * 2654435761u >> 24);
  return out;
}

std::map<std::string, std::string> model_files() {
  return {{"config.json", "hello\n"},           {"tokenizer.json", "{}"},      {"model.safetensors", weights()},
          {"consolidated.safetensors", "twice"}, {"README.md", "not wanted"},  {"onnx/model.safetensors", "no"},
          {"additional_chat_templates/rag.jinja", "{{ x }}"}};
}

class Hub : public testing::Test {
 protected:
  Hub() : server_(model_files()), cache_(test::temporary_dir("hub")) {
    access_.endpoint = server_.endpoint();
    access_.revision = "main";
    access_.cache = cache_;
    access_.pause = 0.001;
  }

  std::string fetch(HubParts parts = HubParts::everything) { return fetch_model(access_, kModel, parts); }

  std::string refusal(HubParts parts = HubParts::everything) {
    try {
      fetch(parts);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }

  fs::path folder() const { return cache_ / "models--team--model"; }
  std::string weights_now() const {
    return read_file(folder() / "snapshots" / HubServer::kCommit / "model.safetensors");
  }
  bool any_blob(std::string_view ending) const {
    for (const auto& entry : fs::directory_iterator(folder() / "blobs"))
      if (entry.path().string().ends_with(ending)) return true;
    return false;
  }

  HubServer server_;
  fs::path cache_;
  HubAccess access_;
};

// The names are huggingface_hub's: git's hash of "hello\n" is known from every git manual.
TEST_F(Hub, CacheHasTheLayoutOfHuggingFace) {
  const std::string snapshot = fetch();
  EXPECT_EQ(snapshot, (folder() / "snapshots" / HubServer::kCommit).string());
  EXPECT_EQ(fs::read_symlink(fs::path(snapshot) / "config.json"),
            "../../blobs/ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(fs::read_symlink(fs::path(snapshot) / "additional_chat_templates/rag.jinja").parent_path(),
            "../../../blobs");
  EXPECT_EQ(fs::read_symlink(fs::path(snapshot) / "model.safetensors").filename().string().size(), 64u);
  EXPECT_EQ(read_file(folder() / "refs/main"), HubServer::kCommit);
  EXPECT_EQ(weights_now(), weights());
  EXPECT_FALSE(any_blob(".incomplete"));
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(snapshot)) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"additional_chat_templates", "config.json", "model.safetensors",
                                          "tokenizer.json"}));
  EXPECT_TRUE(test::prove("hub", "huggingface cache layout", !HasFailure()));
}

TEST_F(Hub, WhatIsThereIsNotFetchedAgain) {
  fetch();
  const size_t before = server_.file_requests().size();
  fetch();
  EXPECT_EQ(server_.file_requests().size(), before);
}

TEST_F(Hub, TokenizerAloneLeavesTheWeights) {
  fetch(HubParts::tokenizer);
  for (const auto& request : server_.file_requests()) EXPECT_EQ(request.path.find("safetensors"), std::string::npos);
  EXPECT_NE(server_.file_requests().size(), 0u);
}

TEST_F(Hub, BrokenConnectionGoesOnWhereItStopped) {
  server_.set({.cut_after = 70'000});
  fetch();
  EXPECT_EQ(weights_now(), weights());
  std::vector<std::string> ranges;
  for (const auto& request : server_.file_requests())
    if (request.path.ends_with("/model.safetensors")) ranges.push_back(request.range);
  EXPECT_EQ(ranges, (std::vector<std::string>{"", "bytes=70000-", "bytes=140000-", "bytes=210000-", "bytes=280000-"}));
  EXPECT_TRUE(test::prove("hub", "resumed download", !HasFailure()));
}

TEST_F(Hub, LaterProcessGoesOnWhereTheFirstWasKilled) {
  server_.set({.cut_after = 70'000});
  const pid_t child = fork();
  if (child == 0) {
    access_.pause = 60;  // waits for the kill
    try {
      fetch();
    } catch (const std::exception&) {
    }
    _exit(1);
  }
  const auto came = [&] {
    if (fs::exists(folder() / "blobs"))
      for (const auto& entry : fs::directory_iterator(folder() / "blobs"))
        if (fs::file_size(entry) == 70'000) return true;
    return false;
  };
  while (!came()) usleep(1000);
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  server_.set({});
  fetch();
  EXPECT_EQ(weights_now(), weights());
  EXPECT_EQ(server_.file_requests().back().range, "bytes=70000-");
}

TEST_F(Hub, ServerWithoutRangesStartsAgain) {
  fetch();
  const fs::path blob = fs::canonical(folder() / "snapshots" / HubServer::kCommit / "model.safetensors");
  fs::resize_file(blob, 1000);
  fs::rename(blob, blob.string() + ".incomplete");
  server_.set({.no_ranges = true});
  fetch();
  EXPECT_EQ(weights_now(), weights());
}

TEST_F(Hub, NoProgressEndsInAnErrorThatSaysHowToGoOn) {
  server_.set({.cut_after = 1, .no_ranges = true});
  access_.attempts = 3;
  const std::string message = refusal();
  EXPECT_NE(message.find("the same command goes on from there"), std::string::npos) << message;
}

TEST_F(Hub, TokenStaysWithTheHub) {
  access_.token = "secret";
  server_.set({.redirect = true, .needed_token = "secret"});
  fetch();
  EXPECT_EQ(weights_now(), weights());
  size_t at_the_store = 0;
  for (const auto& request : server_.requests()) {
    const bool store = request.path.find("/api/") == std::string::npos &&
                       request.path.find("/resolve/") == std::string::npos;
    EXPECT_EQ(request.authorization, store ? "" : "Bearer secret") << request.path;
    at_the_store += store;
  }
  EXPECT_EQ(at_the_store, 4u);
  EXPECT_TRUE(test::prove("hub", "token not sent to redirects", !HasFailure()));
}

TEST_F(Hub, ResumesOverRedirects) {
  server_.set({.cut_after = 100'000, .redirect = true});
  fetch();
  EXPECT_EQ(weights_now(), weights());
}

TEST_F(Hub, WrongBytesAreFetchedOnceMore) {
  server_.set({.wrong_bodies = 4});  // each of the four files once
  fetch();
  EXPECT_EQ(weights_now(), weights());
}

TEST_F(Hub, WrongHashIsRefusedAndNothingIsKept) {
  server_.set({.wrong_bodies = 1'000});
  const std::string message = refusal();
  EXPECT_NE(message.find("do not have the hash"), std::string::npos) << message;
  EXPECT_FALSE(fs::exists(folder() / "refs/main"));
  EXPECT_TRUE(fs::is_empty(folder() / "snapshots"));
  EXPECT_FALSE(any_blob(""));
  EXPECT_TRUE(test::prove("hub", "wrong hash refused", !HasFailure()));
}

TEST_F(Hub, BusyServerIsAskedAgain) {
  server_.set({.first_statuses = {503, 429, 500}});
  fetch();
  EXPECT_EQ(weights_now(), weights());
}

TEST_F(Hub, MissingRightsAndNamesAreExplained) {
  server_.set({.needed_token = "secret"});
  std::string message = refusal();
  EXPECT_NE(message.find("HF_TOKEN (none came)"), std::string::npos) << message;
  server_.set({});
  access_.revision = "v9";
  message = refusal();
  EXPECT_NE(message.find("at revision v9 (HTTP 404)"), std::string::npos) << message;
}

TEST_F(Hub, PathsOutsideTheFolderAreRefused) {
  for (const char* path : {"../../.bashrc", "/etc/passwd", "a/../../b", "a//b/", "a\nb"}) {
    server_.set({.claimed_path = path});
    EXPECT_NE(refusal().find("outside the model's folder"), std::string::npos) << path;
  }
  EXPECT_TRUE(server_.file_requests().empty());
  EXPECT_TRUE(test::prove("hub", "path escape refused", !HasFailure()));
}

TEST_F(Hub, OfflineUsesTheCopyOrSaysWhatIsMissing) {
  access_.offline = true;
  EXPECT_NE(refusal().find("has no copy of team/model at revision main"), std::string::npos);
  access_.offline = false;
  fetch(HubParts::tokenizer);
  access_.offline = true;
  const size_t before = server_.requests().size();
  EXPECT_NE(refusal().find("lacks model.safetensors"), std::string::npos);
  EXPECT_EQ(fetch(HubParts::tokenizer), (folder() / "snapshots" / HubServer::kCommit).string());
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(Hub, UnreachableHubLeavesTheCopy) {
  const std::string snapshot = fetch();
  server_.stop();
  access_.attempts = 2;
  EXPECT_EQ(fetch(), snapshot);
  access_.cache = test::temporary_dir("hub_empty");
  const std::string message = refusal();
  EXPECT_NE(message.find("cannot be asked"), std::string::npos) << message;
}

TEST_F(Hub, TwoProcessesFetchEachFileOnce) {
  server_.set({.cut_after = 20'000});
  const pid_t child = fork();
  if (child == 0) {
    try {
      fetch();
      _exit(0);
    } catch (const std::exception&) {
      _exit(1);
    }
  }
  fetch();
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(weights_now(), weights());
  size_t fresh_starts = 0;
  for (const auto& request : server_.file_requests())
    fresh_starts += request.path.ends_with("/model.safetensors") && request.range.empty();
  EXPECT_EQ(fresh_starts, 1u);
}

TEST_F(Hub, ModelScopeSpeaksItsOwnProtocol) {
  access_.model_scope = true;
  access_.revision = "master";
  const fs::path snapshot = fetch();
  EXPECT_EQ(read_file(snapshot / "model.safetensors"), weights());
  EXPECT_EQ(fs::read_symlink(snapshot / "config.json").filename(),
            "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  EXPECT_EQ(server_.requests().front().path, "/api/v1/models/team/model/repo/files?Revision=master&Recursive=True");
  EXPECT_TRUE(test::prove("hub", "modelscope", !HasFailure()));
}

TEST(HubGguf, TheNamedFileIsFetched) {
  HubServer server({{"model-Q4_K_M.gguf", "four"}, {"model-Q8_0.gguf", "eight"}, {"README.md", ""}});
  HubAccess access;
  access.endpoint = server.endpoint();
  access.revision = "main";
  access.cache = test::temporary_dir("hub_gguf");
  access.pause = 0.001;
  EXPECT_EQ(read_file(fetch_model(access, {"team/model", "q8_0"}, HubParts::everything)), "eight");
  EXPECT_EQ(server.file_requests().size(), 1u);
  EXPECT_THROW(fetch_model(access, {"team/model", ""}, HubParts::everything), Error);
  access.offline = true;
  EXPECT_EQ(read_file(fetch_model(access, {"team/model", "Q8_0"}, HubParts::everything)), "eight");
}

TEST(HubNames, WhatCanBeAModelOnAHub) {
  EXPECT_EQ(hub_reference("Qwen/Qwen3-0.6B")->repository, "Qwen/Qwen3-0.6B");
  EXPECT_EQ(hub_reference("team/model:Q4_K_M")->variant, "Q4_K_M");
  for (const char* path : {"model", "./model", "../model", "/a/b", "a/b/c", "a/", "/b", "a/b.", "a b/c", "a/..",
                           "a--b/c", "a/b:", "~/models"})
    EXPECT_FALSE(hub_reference(path).has_value()) << path;
}

HubAccess access_of(const std::vector<std::string>& words, const std::map<std::string, std::string>& environment) {
  return hub_access(parse_settings(kDownload, words), environment);
}

TEST(HubEnvironment, IsThatOfTheHubsOwnClients) {
  const std::map<std::string, std::string> environment = {
      {"HOME", "/home/u"}, {"HF_ENDPOINT", "https://mirror.example/"}, {"HF_TOKEN", " t \n"}, {"HF_HUB_OFFLINE", "1"}};
  HubAccess access = access_of({"--model", "a/b"}, environment);
  EXPECT_EQ(access.endpoint, "https://mirror.example");
  EXPECT_EQ(access.cache, "/home/u/.cache/huggingface/hub");
  EXPECT_EQ(access.token, "t");
  EXPECT_EQ(access.revision, "main");
  EXPECT_TRUE(access.offline);
  access = access_of({"--model", "a/b", "--hub", "modelscope"},
                     {{"HOME", "/home/u"}, {"MODELSCOPE_CACHE", "/data/ms"}});
  EXPECT_EQ(access.endpoint, "https://modelscope.cn");
  EXPECT_EQ(access.cache, "/data/ms");
  EXPECT_EQ(access.revision, "master");
  for (const char* revision : {"../x", "a b", "/x", "-x", "x?y"})
    EXPECT_THROW(access_of({"--model", "a/b", "--revision=" + std::string(revision)}, environment), Error)
        << revision;
}

}  // namespace
}  // namespace mindspeed
