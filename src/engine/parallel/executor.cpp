#include "engine/parallel/executor.h"

#include <deque>
#include <map>
#include <stdexcept>
#include <utility>

#include "engine/device/scalar_type.h"

namespace mindspeed {
namespace {

// Micro-batch and direction make the tag, so that a message can never be taken for another.
int tag_of(int64_t micro_batch, bool backward) {
  return static_cast<int>(micro_batch * 2 + (backward ? 1 : 0));
}

// Removes and returns the value of a micro-batch; an empty one if there is none (the first stage has no
// input).
template <class Value>
Value take(std::map<int64_t, Value>& from, int64_t id) {
  auto node = from.extract(id);
  return node.empty() ? Value{} : std::move(node.mapped());
}

}  // namespace

// What is under way in one step: received values that wait for their use, computed ones that wait to be sent,
// and started sends, whose buffers must live until they are done.
struct Executor::Transfers {
  explicit Transfers(Group& group) : group(group) {}

  void send(const at::Tensor& tensor, int peer, int64_t micro_batch, bool backward) {
    auto& queue = backward ? up : down;
    queue.push_back(group.send(tensor, peer, tag_of(micro_batch, backward)));
    // At most `stages` micro-batches are in flight, so a send that is twice as old has long been received.
    while (queue.size() > 2 * static_cast<size_t>(group.size())) {
      queue.front()->wait();
      queue.pop_front();
    }
  }
  at::Tensor receive(at::Tensor buffer, int peer, int64_t micro_batch, bool backward) {
    group.receive(buffer, peer, tag_of(micro_batch, backward))->wait();
    return buffer;
  }
  void finish() {
    for (auto* queue : {&down, &up})
      for (auto& pending : *queue) pending->wait();
  }

  Group& group;
  std::deque<std::unique_ptr<Pending>> down, up;
  std::map<int64_t, Flow> inputs, outputs, output_grads, input_grads;  // by micro-batch
  std::map<int64_t, std::vector<int64_t>> output_shapes;               // of what was sent forward
};

Executor::Executor(const std::vector<std::unique_ptr<Stage>>& stages, const Plan& plan, const Mesh& mesh)
    : mesh_(mesh), hidden_(plan.model.hidden) {
  for (const auto& stage : stages) stages_.push_back(stage.get());
  if (stages_.size() != 1) throw std::logic_error("the executor runs one chunk per pipeline stage");
  if (mesh.degrees.sequence_parallel) sequence_parts_ = mesh.degrees.tp;
  dtype_ = device::scalar_type(plan.precision.parameters);
}

void Executor::train(int64_t micro_batches, const StepCallbacks& callbacks) {
  run(one_f_one_b(mesh_.pp_rank, mesh_.degrees.pp, micro_batches), callbacks, /*training=*/true);
}

void Executor::evaluate(int64_t micro_batches, const StepCallbacks& callbacks) {
  run(forward_only(mesh_.pp_rank, mesh_.degrees.pp, micro_batches), callbacks, /*training=*/false);
}

at::Tensor Executor::flow_buffer(const at::Tensor& tokens) const {
  const int64_t batch = tokens.size(0), length = tokens.size(1);
  return at::empty({batch, length / sequence_parts_, hidden_}, at::TensorOptions(dtype_));  // [B, T, H]
}

Flow Executor::compute_forward(int64_t id, const StepCallbacks& callbacks, const StepContext& context,
                               const Flow& in, bool training) {
  Stage& stage = *stages_.front();
  Flow out = training ? stage.forward(id, in, context) : stage.infer(in, context);
  if (mesh_.last_stage() && callbacks.on_loss) callbacks.on_loss(id, out.hidden.item<double>());
  return out;
}

void Executor::run(const std::vector<Action>& actions, const StepCallbacks& callbacks, bool training) {
  Transfers flight(*mesh_.pp);
  StepContext context;  // of the micro-batch that goes forward now
  int64_t context_id = -1;
  const auto enter = [&](int64_t id) -> const StepContext& {
    if (std::exchange(context_id, id) != id) context = callbacks.context_of(id);
    return context;
  };
  const int next = mesh_.pp_rank + 1, previous = mesh_.pp_rank - 1;
  for (const Action& action : actions) {
    const int64_t id = action.micro_batch;
    switch (action.kind) {
      case ActionKind::receive_forward:
        flight.inputs[id].hidden = flight.receive(flow_buffer(enter(id).tokens), previous, id, false);
        break;
      case ActionKind::forward:
        flight.outputs[id] = compute_forward(id, callbacks, enter(id), take(flight.inputs, id), training);
        if (mesh_.last_stage()) flight.outputs.erase(id);
        break;
      case ActionKind::send_forward: {
        const Flow out = take(flight.outputs, id);
        if (training) flight.output_shapes[id] = out.hidden.sizes().vec();
        flight.send(out.hidden, next, id, false);
        break;
      }
      case ActionKind::receive_backward:
        flight.output_grads[id].hidden = flight.receive(
            at::empty(take(flight.output_shapes, id), at::TensorOptions(dtype_)), next, id, true);
        break;
      case ActionKind::backward:
        flight.input_grads[id] = stages_.front()->backward(id, take(flight.output_grads, id));
        if (mesh_.first_stage()) flight.input_grads.erase(id);
        break;
      case ActionKind::send_backward:
        flight.send(take(flight.input_grads, id).hidden, previous, id, true);
        break;
    }
  }
  flight.finish();
}

double total_loss(double local, const Mesh& mesh) {
  at::Tensor sum = at::full({1}, mesh.last_stage() ? local : 0.0, at::kDouble);
  mesh.dp->all_reduce(sum);
  mesh.pp->broadcast(sum, mesh.degrees.pp - 1);
  return sum.item<double>();
}

}  // namespace mindspeed
