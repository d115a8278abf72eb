#include "front/data/prepare/progress.h"

#include <algorithm>

#include "front/base/log.h"
#include "front/base/text.h"

namespace mindspeed {

PreprocessProgress::PreprocessProgress(int64_t interval, uint64_t total_bytes)
    : interval_(std::max<int64_t>(interval, 1)), total_bytes_(total_bytes), next_(interval_) {}

void PreprocessProgress::update(int64_t documents, uint64_t bytes) {
  if (documents < next_ || seconds() - last_print_ < 0.5) return;
  next_ = documents + interval_;
  last_print_ = seconds();
  print(documents, bytes, false);
}

void PreprocessProgress::finish(int64_t documents, uint64_t bytes) const { print(documents, bytes, true); }

void PreprocessProgress::print(int64_t documents, uint64_t bytes, bool last) const {
  const double elapsed = std::max(seconds(), 1e-6);
  const double done =
      total_bytes_ == 0 ? 1.0 : static_cast<double>(bytes) / static_cast<double>(total_bytes_);
  std::string tail;
  if (last)
    tail = fmt::format("Took {}.", human_seconds(elapsed));
  else if (done > 0)
    tail = fmt::format("{:.0f}% done, {} left.", 100 * done, human_seconds(elapsed * (1 - done) / done));
  log_info("Processed {} documents ({:.1f} docs/s, {:.2f} MB/s). {}", documents,
           static_cast<double>(documents) / elapsed, static_cast<double>(bytes) / 1e6 / elapsed, tail);
}

}  // namespace mindspeed
