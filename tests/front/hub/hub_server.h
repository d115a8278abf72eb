// A hub on this machine that speaks Hugging Face's and ModelScope's protocol, with faults on demand.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mindspeed::test {

struct HubRequest {
  std::string path;           // with the query
  std::string range;          // of the Range header
  std::string authorization;  // of that header
};

struct HubFaults {
  uint64_t cut_after = 0;           // bytes of a body until the connection breaks; 0 = never
  bool no_ranges = false;           // Range headers are not understood
  bool redirect = false;            // files come from a second server on another port
  std::string needed_token{};       // anonymous requests get 401
  std::vector<int> first_statuses{};// of the first requests for files, in place of an answer
  int wrong_bodies = 0;             // so many bodies have a wrong byte
  std::string claimed_path{};       // a further file in the listing
};

class HubServer {
 public:
  // Files of ORG/NAME = "team/model" at branch "main" ("master" for ModelScope). Names that end in .safetensors
  // or .gguf have a SHA-256 in the listing, the others git's hash, as on the hub.
  explicit HubServer(std::map<std::string, std::string> files);
  ~HubServer();

  std::string endpoint() const;
  std::vector<HubRequest> requests() const;
  // Those for contents, not for the listing.
  std::vector<HubRequest> file_requests() const;
  void set(const HubFaults& faults);
  void stop();

  static constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mindspeed::test
