// What the ranks of a run share below the groups: the rendezvous store, the network device, the watch.
// Internal.
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/comm/init.h"
#include "engine/comm/watch.h"

namespace c10d {
class Backend;
class Store;
}  // namespace c10d
namespace gloo::transport {
class Device;
}

namespace mindspeed {

class Session {
 public:
  // Connects to the store (rank 0 serves it unless the launcher does) and starts the watch.
  Session(const RankEnvironment& environment, const CommOptions& options);
  ~Session();

  // A group over global `ranks` (this rank among them); collective over these ranks.
  std::shared_ptr<Group> group(const std::string& name, const std::vector<int>& ranks);
  // All ranks agree to leave; rank 0, which may host the store, is the last.
  void goodbye(Group& world);
  Watch* watch() { return watch_.get(); }
  const RankEnvironment& environment() const { return environment_; }

 private:
  RankEnvironment environment_;
  CommOptions options_;
  c10::intrusive_ptr<c10d::Store> store_;  // keys of this attempt
  std::shared_ptr<gloo::transport::Device> device_;
  std::map<std::vector<int>, c10::intrusive_ptr<c10d::Backend>> backends_;
  std::unique_ptr<Watch> watch_;
  bool left_ = false;
};

}  // namespace mindspeed
