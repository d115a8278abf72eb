// Pipeline schedules as data: what one stage does, in order, for one step. Torch-free; the engine's executor
// runs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mindspeed {

enum class ActionKind { forward, backward, send_forward, receive_forward, send_backward, receive_backward };

// forward needs the stage's input (received unless it is the first stage); backward needs the gradient of its
// output. A send is started and not waited for; a receive is complete before the next action.
struct Action {
  ActionKind kind = ActionKind::forward;
  int chunk = 0;  // virtual stage on this rank
  int64_t micro_batch = 0;
  bool operator==(const Action&) const = default;
};

// One forward, one backward: min(stages - stage - 1, micro_batches) warm-up forwards, then pairs, then the
// rest of the backwards; at most stages - stage micro-batches are in flight (Narayanan et al. 2021,
// "PipeDream-Flush").
std::vector<Action> one_f_one_b(int stage, int stages, int64_t micro_batches);

// All forwards, no backward: evaluation.
std::vector<Action> forward_only(int stage, int stages, int64_t micro_batches);

struct ScheduleReport {
  std::optional<std::string> fault;     // empty = correct
  std::vector<int64_t> peak_in_flight;  // per stage: most micro-batches between forward and backward
};

// Plays the schedules of all stages against each other: every micro-batch goes forward (and backward, if any
// backward is scheduled) once on each stage and in that order, inputs are received before they are used,
// every send has its receive in the same order, nothing deadlocks.
ScheduleReport check_schedule(const std::vector<std::vector<Action>>& stages, int64_t micro_batches);

// "forward(chunk 0, micro-batch 3)"
std::string describe(const Action& action);

}  // namespace mindspeed
