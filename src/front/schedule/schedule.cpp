#include "front/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace mindspeed {
namespace {

// Appends the actions of one stage with the transfers at its borders.
class Writer {
 public:
  Writer(int stage, int stages) : first_(stage == 0), last_(stage == stages - 1) {}

  void forward(int64_t micro_batch) {
    if (!first_) add(ActionKind::receive_forward, micro_batch);
    add(ActionKind::forward, micro_batch);
    if (!last_) add(ActionKind::send_forward, micro_batch);
  }
  void backward(int64_t micro_batch) {
    if (!last_) add(ActionKind::receive_backward, micro_batch);
    add(ActionKind::backward, micro_batch);
    if (!first_) add(ActionKind::send_backward, micro_batch);
  }
  std::vector<Action> take() { return std::move(actions_); }

 private:
  void add(ActionKind kind, int64_t micro_batch) { actions_.push_back({kind, 0, micro_batch}); }
  bool first_, last_;
  std::vector<Action> actions_;
};

void check_arguments(int stage, int stages, int64_t micro_batches) {
  if (stage < 0 || stage >= stages || micro_batches < 0)
    throw std::logic_error(
        fmt::format("schedule: stage {} of {}, {} micro-batches", stage, stages, micro_batches));
}

}  // namespace

std::vector<Action> one_f_one_b(int stage, int stages, int64_t micro_batches) {
  check_arguments(stage, stages, micro_batches);
  Writer writer(stage, stages);
  const int64_t warm_up = std::min<int64_t>(stages - stage - 1, micro_batches);
  for (int64_t m = 0; m < warm_up; ++m) writer.forward(m);
  for (int64_t m = warm_up; m < micro_batches; ++m) {
    writer.forward(m);
    writer.backward(m - warm_up);
  }
  for (int64_t m = micro_batches - warm_up; m < micro_batches; ++m) writer.backward(m);
  return writer.take();
}

std::vector<Action> forward_only(int stage, int stages, int64_t micro_batches) {
  check_arguments(stage, stages, micro_batches);
  Writer writer(stage, stages);
  for (int64_t m = 0; m < micro_batches; ++m) writer.forward(m);
  return writer.take();
}

std::string describe(const Action& action) {
  static constexpr const char* names[] = {"forward",         "backward",      "send_forward",
                                          "receive_forward", "send_backward", "receive_backward"};
  return fmt::format("{}(chunk {}, micro-batch {})", names[static_cast<int>(action.kind)], action.chunk,
                     action.micro_batch);
}

}  // namespace mindspeed
