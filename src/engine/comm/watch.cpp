#include "engine/comm/watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <torch/csrc/distributed/c10d/Store.hpp>
#include <utility>

namespace mindspeed {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kPeriod{250};
constexpr milliseconds kShortPatience{1500};  // once some rank has lost a peer

std::vector<uint8_t> bytes(const std::string& text) { return {text.begin(), text.end()}; }
std::string beat_key(int rank) { return fmt::format("beat/{}", rank); }
constexpr milliseconds kLinger{1500};  // the host of the store stays until the others have read "abort"
constexpr const char* kAbort = "abort";
constexpr const char* kSuspect = "suspect";

}  // namespace

void Watch::sign_in(c10d::Store& store, int rank) { store.set(beat_key(rank), bytes("joined")); }

Watch::Watch(Connect connect, WatchOptions options)
    : connect_(std::move(connect)), options_(std::move(options)) {
  const int last = options_.rank == 0 ? options_.world : 1;  // rank 0 checks all others, they check rank 0
  for (int rank = options_.rank == 0 ? 1 : 0; rank < last; ++rank)
    signs_.push_back({rank, {}, Clock::now(), false});
  beat_thread_ = std::thread([this] { beat_loop(); });
  judge_thread_ = std::thread([this] { judge_loop(); });
}

Watch::~Watch() { stop(); }

void Watch::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (beat_thread_.joinable()) beat_thread_.join();
  if (judge_thread_.joinable()) judge_thread_.join();
}

void Watch::set_verdict(const std::string& verdict) {
  const std::lock_guard lock(mutex_);
  if (!verdict_) verdict_ = verdict;
  changed_.notify_all();
}

void Watch::announce(const std::string& message) {
  std::unique_lock lock(mutex_);
  own_failure_ = true;
  announcement_ = fmt::format("rank {} failed: {}", options_.rank, message);
  changed_.notify_all();
  changed_.wait_for(lock, milliseconds(2000), [this] { return announced_; });
}

std::optional<std::string> Watch::who_failed(milliseconds patience) {
  std::unique_lock lock(mutex_);
  own_failure_ = true;  // the caller reports; the judge keeps still
  suspicious_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, patience, [this] { return verdict_.has_value(); });
  return verdict_;
}

void Watch::leave(const std::string& message, int exit_code) {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(left_, true)) {
      const std::string line = "error: " + message + "\n";
      [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    }
  }
  if (options_.hosts_store) std::this_thread::sleep_for(kLinger);
  ::_exit(exit_code);
}

void Watch::beat_loop() {
  try {
    const c10::intrusive_ptr<c10d::Store> store = connect_();
    for (int64_t count = 0;; ++count) {
      beat(*store, count);
      look_at_others(*store);
      std::unique_lock lock(mutex_);
      last_beat_ = Clock::now();
      if (stopping_) return;
      const bool urgent = !announcement_.empty() && !announced_;
      if (!urgent) changed_.wait_for(lock, kPeriod);
      if (stopping_) return;
    }
  } catch (const std::exception&) {
    set_verdict(fmt::format("{} is gone", options_.store_name));
  }
}

// Writes this rank's sign of life and, if it has any, its announcement or suspicion.
void Watch::beat(c10d::Store& store, int64_t count) {
  std::string announcement;
  bool suspicious = false;
  {
    const std::lock_guard lock(mutex_);
    if (!announced_) announcement = announcement_;
    suspicious = suspicious_;
  }
  store.set(beat_key(options_.rank), bytes(std::to_string(count)));
  if (!announcement.empty()) {
    store.compareSet(kAbort, {}, bytes(announcement));
    const std::lock_guard lock(mutex_);
    announced_ = true;
    changed_.notify_all();
  }
  if (suspicious) store.set(kSuspect, bytes("1"));
}

void Watch::look_at_others(c10d::Store& store) {
  if (store.check({kAbort})) {
    const std::vector<uint8_t> message = store.get(kAbort);
    set_verdict({message.begin(), message.end()});
    return;
  }
  const milliseconds patience = store.check({kSuspect}) ? kShortPatience : options_.silence;
  const Clock::time_point now = Clock::now();
  const Sign* silent = nullptr;
  for (Sign& sign : signs_) {
    if (!sign.joined && !store.check({beat_key(sign.rank)})) continue;
    sign.joined = true;
    std::vector<uint8_t> current = store.get(beat_key(sign.rank));
    if (current != sign.last) {
      sign.last = std::move(current);
      sign.changed = now;
    }
    if (now - sign.changed > patience && (silent == nullptr || sign.changed < silent->changed))
      silent = &sign;
  }
  if (silent == nullptr) return;
  const double seconds = std::chrono::duration<double>(now - silent->changed).count();
  const std::string verdict =
      fmt::format("rank {} died or hangs: no sign of life for {:.1f} s", silent->rank, seconds);
  store.compareSet(kAbort, {}, bytes(verdict));
  set_verdict(verdict);
}

void Watch::judge_loop() {
  const milliseconds stuck = options_.silence + milliseconds(2000);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, milliseconds(100));
    if (!verdict_ && Clock::now() - last_beat_ > stuck) {
      verdict_ = fmt::format("{} has not answered for {} s", options_.store_name, stuck.count() / 1000);
      changed_.notify_all();
    }
    if (verdict_ && !own_failure_ && !stopping_) {
      const std::string message = fmt::format("[comm] rank {} stops because {}", options_.rank, *verdict_);
      lock.unlock();
      leave(message, 1);
    }
  }
}

}  // namespace mindspeed
