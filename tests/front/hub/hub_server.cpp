#include "tests/front/hub/hub_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <thread>

#include "front/base/hash.h"

namespace mindspeed::test {
namespace {

using nlohmann::json;

std::string sha1_of_git_blob(const std::string& content) {
  const std::string all = fmt::format("blob {}", content.size()) + '\0' + content;
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(all.data(), all.size(), digest, &size, EVP_sha1(), nullptr);
  std::string out;
  for (unsigned i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

bool in_large_file_store(const std::string& path) {
  return path.ends_with(".safetensors") || path.ends_with(".gguf");
}

}  // namespace

struct HubServer::State {
  std::map<std::string, std::string> files;
  HubFaults faults;
  std::vector<HubRequest> requests;
  mutable std::mutex mutex;
  httplib::Server server, store;
  int port = 0, store_port = 0;
  std::thread thread, store_thread;

  void note(const httplib::Request& request) {
    const std::lock_guard lock(mutex);
    requests.push_back({request.target, request.get_header_value("Range"),
                        request.get_header_value("Authorization")});
  }

  // True if the request ends here.
  bool refused(const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard lock(mutex);
    const std::string needed = faults.needed_token.empty() ? "" : "Bearer " + faults.needed_token;
    if (request.get_header_value("Authorization") != needed && !needed.empty()) response.status = 401;
    return response.status == 401;
  }

  void list(httplib::Response& response) {
    const std::lock_guard lock(mutex);
    json siblings = json::array();
    for (const auto& [path, content] : files) {
      json entry = {{"rfilename", path}, {"size", content.size()}, {"blobId", sha1_of_git_blob(content)}};
      if (in_large_file_store(path)) entry["lfs"] = {{"sha256", sha256_hex(content)}, {"size", content.size()}};
      siblings.push_back(entry);
    }
    if (!faults.claimed_path.empty())
      siblings.push_back({{"rfilename", faults.claimed_path}, {"size", 1}, {"blobId", std::string(40, '0')}});
    response.set_content(json{{"sha", kCommit}, {"siblings", siblings}}.dump(), "application/json");
  }

  void list_for_model_scope(httplib::Response& response) {
    const std::lock_guard lock(mutex);
    json entries = json::array();
    entries.push_back({{"Path", "folder"}, {"Type", "tree"}, {"Size", 0}});
    for (const auto& [path, content] : files)
      entries.push_back(
          {{"Path", path}, {"Type", "blob"}, {"Size", content.size()}, {"Sha256", sha256_hex(content)}});
    response.set_content(json{{"Code", 200}, {"Data", {{"Files", entries}}}}.dump(), "application/json");
  }

  // The content, or the fault of the moment.
  void give(const std::string& path, const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard lock(mutex);
    const auto at = files.find(path);
    if (at == files.end()) {
      response.status = 404;
      return;
    }
    if (!faults.first_statuses.empty()) {
      response.status = faults.first_statuses.front();
      faults.first_statuses.erase(faults.first_statuses.begin());
      return;
    }
    std::string body = at->second;
    if (faults.wrong_bodies > 0 && !body.empty()) {
      --faults.wrong_bodies;
      body[body.size() / 2] ^= 1;
    }
    if (faults.no_ranges) const_cast<httplib::Request&>(request).ranges.clear();
    const uint64_t cut = faults.cut_after;
    uint64_t begin = request.ranges.empty() ? 0 : static_cast<uint64_t>(std::max<ssize_t>(0, request.ranges[0].first));
    response.set_content_provider(
        body.size(), "application/octet-stream",
        [body, cut, begin](size_t offset, size_t length, httplib::DataSink& sink) {
          const uint64_t end = cut == 0 ? body.size() : std::min<uint64_t>(body.size(), begin + cut);
          if (offset >= end) return false;  // breaks the connection
          return sink.write(body.data() + offset, std::min<uint64_t>(length, end - offset));
        });
  }

  void serve() {
    server.Get(R"(/api/models/team/model/revision/(.+))", [this](const auto& request, auto& response) {
      note(request);
      if (refused(request, response)) return;
      if (request.matches[1] == "main" || request.matches[1] == kCommit) return list(response);
      response.status = 404;
    });
    server.Get(R"(/team/model/resolve/([0-9a-f]+)/(.+))", [this](const auto& request, auto& response) {
      note(request);
      if (refused(request, response)) return;
      if (!faults.redirect) return give(request.matches[2], request, response);
      response.set_redirect(fmt::format("http://127.0.0.1:{}/{}", store_port, std::string(request.matches[2])), 302);
    });
    server.Get(R"(/api/v1/models/team/model/repo/files)", [this](const auto& request, auto& response) {
      note(request);
      list_for_model_scope(response);
    });
    server.Get(R"(/api/v1/models/team/model/repo)", [this](const auto& request, auto& response) {
      note(request);
      give(request.get_param_value("FilePath"), request, response);
    });
    store.Get(R"(/(.+))", [this](const auto& request, auto& response) {
      note(request);
      give(request.matches[1], request, response);
    });
    port = server.bind_to_any_port("127.0.0.1");
    store_port = store.bind_to_any_port("127.0.0.1");
    thread = std::thread([this] { server.listen_after_bind(); });
    store_thread = std::thread([this] { store.listen_after_bind(); });
  }
};

HubServer::HubServer(std::map<std::string, std::string> files) : state_(std::make_unique<State>()) {
  state_->files = std::move(files);
  state_->serve();
  while (!state_->server.is_running() || !state_->store.is_running()) std::this_thread::yield();
}

HubServer::~HubServer() { stop(); }

void HubServer::stop() {
  state_->server.stop();
  state_->store.stop();
  if (state_->thread.joinable()) state_->thread.join();
  if (state_->store_thread.joinable()) state_->store_thread.join();
}

std::string HubServer::endpoint() const { return fmt::format("http://127.0.0.1:{}", state_->port); }

std::vector<HubRequest> HubServer::requests() const {
  const std::lock_guard lock(state_->mutex);
  return state_->requests;
}

std::vector<HubRequest> HubServer::file_requests() const {
  std::vector<HubRequest> out;
  for (const HubRequest& request : requests())
    if (!request.path.starts_with("/api/models/") && request.path.find("/repo/files") == std::string::npos)
      out.push_back(request);
  return out;
}

void HubServer::set(const HubFaults& faults) {
  const std::lock_guard lock(state_->mutex);
  state_->faults = faults;
}

}  // namespace mindspeed::test
