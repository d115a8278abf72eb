#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "front/schedule/schedule.h"

namespace mindspeed {
namespace {

// Plays all stages; a stage runs until it must wait for a message that nobody has sent yet.
class Player {
 public:
  Player(const std::vector<std::vector<Action>>& stages, int64_t micro_batches)
      : stages_(stages), micro_batches_(micro_batches), at_(stages.size()), states_(stages.size()) {
    report_.peak_in_flight.resize(stages.size());
  }

  ScheduleReport play() {
    bool moved = true;
    while (moved && !report_.fault) {
      moved = false;
      for (size_t stage = 0; stage < stages_.size() && !report_.fault; ++stage)
        while (at_[stage] < stages_[stage].size() && !report_.fault &&
               step(stage, stages_[stage][at_[stage]])) {
          at_[stage] += 1;
          moved = true;
        }
    }
    if (!report_.fault) check_end();
    return report_;
  }

 private:
  struct State {
    std::set<int64_t> input, gradient;  // received, not used yet
    std::set<int64_t> forwarded, done;  // computed
    std::set<int64_t> sent_forward, sent_backward;
  };
  using Channel = std::deque<int64_t>;  // micro-batches on the way from one stage to a neighbour

  void fault(size_t stage, const Action& action, const std::string& why) {
    if (!report_.fault) report_.fault = fmt::format("stage {}: {}: {}", stage, describe(action), why);
  }
  bool first(size_t stage) const { return stage == 0; }
  bool last(size_t stage) const { return stage + 1 == stages_.size(); }

  // Takes the next message of a channel; false = not there yet.
  bool receive(size_t stage, const Action& action, Channel& channel, std::set<int64_t>& into) {
    if (channel.empty()) return false;
    if (channel.front() != action.micro_batch)
      fault(stage, action, fmt::format("micro-batch {} arrives first", channel.front()));
    channel.pop_front();
    into.insert(action.micro_batch);
    return true;
  }

  void send(size_t stage, const Action& action, Channel& channel, const std::set<int64_t>& computed,
            std::set<int64_t>& sent) {
    if (!computed.contains(action.micro_batch)) fault(stage, action, "sent before it was computed");
    if (!sent.insert(action.micro_batch).second) fault(stage, action, "sent twice");
    channel.push_back(action.micro_batch);
  }

  void forward(size_t stage, const Action& action, State& state) {
    if (!first(stage) && state.input.erase(action.micro_batch) == 0)
      fault(stage, action, "its input was not received");
    if (!state.forwarded.insert(action.micro_batch).second) fault(stage, action, "runs twice");
    const auto in_flight = static_cast<int64_t>(state.forwarded.size() - state.done.size());
    report_.peak_in_flight[stage] = std::max(report_.peak_in_flight[stage], in_flight);
  }

  void backward(size_t stage, const Action& action, State& state) {
    if (!state.forwarded.contains(action.micro_batch)) fault(stage, action, "runs before its forward");
    if (!last(stage) && state.gradient.erase(action.micro_batch) == 0)
      fault(stage, action, "its gradient was not received");
    if (!state.done.insert(action.micro_batch).second) fault(stage, action, "runs twice");
    any_backward_ = true;
  }

  bool step(size_t stage, const Action& action) {
    State& state = states_[stage];
    const bool to_next =
        action.kind == ActionKind::send_forward || action.kind == ActionKind::receive_backward;
    const bool to_previous =
        action.kind == ActionKind::send_backward || action.kind == ActionKind::receive_forward;
    if ((to_next && last(stage)) || (to_previous && first(stage))) {
      fault(stage, action, "there is no stage on that side");
      return true;
    }
    switch (action.kind) {
      case ActionKind::forward:
        forward(stage, action, state);
        return true;
      case ActionKind::backward:
        backward(stage, action, state);
        return true;
      case ActionKind::send_forward:
        send(stage, action, down_[stage], state.forwarded, state.sent_forward);
        return true;
      case ActionKind::send_backward:
        send(stage, action, up_[stage], state.done, state.sent_backward);
        return true;
      case ActionKind::receive_forward:
        return receive(stage, action, down_[stage - 1], state.input);
      case ActionKind::receive_backward:
        return receive(stage, action, up_[stage + 1], state.gradient);
    }
    return true;
  }

  void check_end() {
    for (size_t stage = 0; stage < stages_.size(); ++stage) {
      if (at_[stage] < stages_[stage].size())
        return fault(stage, stages_[stage][at_[stage]], "deadlock: waits for a message that is never sent");
      const State& state = states_[stage];
      const auto count = static_cast<size_t>(micro_batches_);
      if (state.forwarded.size() != count || (any_backward_ && state.done.size() != count)) {
        report_.fault = fmt::format("stage {}: {} forwards and {} backwards of {} micro-batches", stage,
                                    state.forwarded.size(), state.done.size(), micro_batches_);
        return;
      }
    }
    for (const auto* channels : {&down_, &up_})
      for (const auto& [stage, channel] : *channels)
        if (!channel.empty())
          report_.fault =
              fmt::format("stage {}: micro-batch {} is sent and never received", stage, channel.front());
  }

  const std::vector<std::vector<Action>>& stages_;
  int64_t micro_batches_;
  std::vector<size_t> at_;
  std::vector<State> states_;
  std::map<size_t, Channel> down_, up_;  // sent by a stage to the next, to the previous
  bool any_backward_ = false;
  ScheduleReport report_;
};

}  // namespace

ScheduleReport check_schedule(const std::vector<std::vector<Action>>& stages, int64_t micro_batches) {
  return Player(stages, micro_batches).play();
}

}  // namespace mindspeed
