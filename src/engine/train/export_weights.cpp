#include "engine/train/export_weights.h"

#include <map>
#include <memory>
#include <stdexcept>

#include "engine/device/scalar_type.h"
#include "front/convert/hf/sink.h"

namespace mindspeed {
namespace {

int stage_of(const ParameterSpec& spec, const std::vector<StageSlice>& placement) {
  for (const StageSlice& s : placement) {
    if (spec.layer == kEmbeddingLayer ? s.embedding
        : spec.layer == kHeadLayer    ? s.head
                                      : spec.layer >= s.first_layer && spec.layer < s.first_layer + s.layers)
      return s.stage;
  }
  throw std::logic_error("export: no stage holds " + spec.name);
}

// Global rank of data- and context-parallel rank 0.
int rank_of(const MeshDegrees& d, int stage, int tp_rank) { return stage * d.dp * d.cp * d.tp + tp_rank; }

void place(at::Tensor& whole_tensor, const at::Tensor& local, const Shard& shard) {
  for (const ShardBox& box : shard.boxes) {
    at::Tensor to = whole_tensor, from = local;
    for (size_t d = 0; d < box.local_start.size(); ++d) {
      const auto dim = static_cast<int64_t>(d);
      to = to.narrow(dim, box.logical.start[d], box.logical.size[d]);
      from = from.narrow(dim, box.local_start[d], box.logical.size[d]);
    }
    to.copy_(from);
  }
}

// The logical tensor on rank 0; undefined elsewhere.
at::Tensor gather(const ParameterSpec& spec, const Parameter* mine, const TrainingRun& run,
                  at::ScalarType dtype) {
  const MeshDegrees& degrees = run.plan.mesh;
  const int stage = stage_of(spec, run.plan.placement);
  at::Tensor result = run.mesh.rank == 0 ? at::zeros(spec.shape, dtype) : at::Tensor();
  for (int t = 0; t < (spec.tp_dim >= 0 ? degrees.tp : 1); ++t) {
    const int holder = rank_of(degrees, stage, t);
    const Shard shard = shard_of(spec, t, degrees.tp, run.plan.padded_vocab);
    at::Tensor local;
    if (run.mesh.rank == holder) local = mine->value.detach().contiguous();
    if (holder != 0 && run.mesh.rank == holder) run.mesh.world->send(local, 0)->wait();
    if (run.mesh.rank != 0) continue;
    if (holder != 0) {
      local = at::empty(shard.shape, dtype);
      run.mesh.world->receive(local, holder)->wait();
    }
    place(result, local, shard);
  }
  return result;
}

}  // namespace

void export_weights(TrainingRun& run) {
  const DType stored = run.plan.precision.parameters;
  const at::ScalarType dtype = device::scalar_type(stored);
  std::unique_ptr<HuggingFaceSink> sink;
  if (run.mesh.rank == 0) {
    HuggingFaceTarget target;
    target.directory = run.plan.checkpoint.export_hf;
    target.from = {run.plan.model_dir, run.plan.data.tokenizer};
    target.overwrite = true;
    sink = std::make_unique<HuggingFaceSink>(target, run.plan.model, stored_as(run.plan.parameters, stored));
  }
  std::map<std::string, const Parameter*> by_name;
  for (const Parameter* p : run.model.store().parameters()) by_name[p->spec.name] = p;
  for (const ParameterSpec& spec : run.plan.parameters) {
    if (!spec.tied_to.empty()) continue;
    const auto found = by_name.find(spec.name);
    const at::Tensor tensor = gather(spec, found == by_name.end() ? nullptr : found->second, run, dtype);
    if (sink)
      sink->write(spec.name, stored,
                  {static_cast<const std::byte*>(tensor.data_ptr()), static_cast<size_t>(tensor.nbytes())});
  }
  if (sink) sink->finish();
  run.mesh.world->barrier();
}

}  // namespace mindspeed
