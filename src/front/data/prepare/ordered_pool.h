// Worker threads whose results come back in the order of the inputs, with a bounded number in flight.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace mindspeed {

// Work runs on the pool's threads; consume runs on the thread that calls submit() and finish(), in order. At
// most 2 * workers inputs wait or run at once. An exception of work or consume comes out of submit() or
// finish() when its turn has come; later results are then dropped.
template <class In, class Out>
class OrderedPool {
 public:
  using Work = std::function<Out(In&)>;

  // `make_work` is called once per thread, so that each thread can own buffers.
  OrderedPool(int workers, const std::function<Work()>& make_work, std::function<void(Out&)> consume)
      : limit_(2 * static_cast<size_t>(workers)), consume_(std::move(consume)) {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this, work = make_work()] { run(work); });
  }

  ~OrderedPool() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      queue_.clear();
    }
    ready_.notify_all();
    for (std::thread& t : threads_) t.join();
  }
  OrderedPool(const OrderedPool&) = delete;
  OrderedPool& operator=(const OrderedPool&) = delete;

  void submit(In input) {
    while (pending_.size() >= limit_) consume_first();
    Job job{std::move(input), {}};
    pending_.push_back(job.result.get_future());
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(job));
    }
    ready_.notify_one();
  }

  void finish() {
    while (!pending_.empty()) consume_first();
  }

 private:
  struct Job {
    In input;
    std::promise<Out> result;
  };

  void consume_first() {
    std::future<Out> first = std::move(pending_.front());
    pending_.pop_front();
    Out output = first.get();
    consume_(output);
  }

  void run(const Work& work) {
    while (true) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [&] { return stop_ || !queue_.empty(); });
      if (stop_) return;
      Job job = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      try {
        job.result.set_value(work(job.input));
      } catch (...) {
        job.result.set_exception(std::current_exception());
      }
    }
  }

  size_t limit_;
  std::function<void(Out&)> consume_;
  std::mutex mutex_;
  std::condition_variable ready_;
  bool stop_ = false;
  std::deque<Job> queue_;
  std::deque<std::future<Out>> pending_;
  std::vector<std::thread> threads_;
};

}  // namespace mindspeed
