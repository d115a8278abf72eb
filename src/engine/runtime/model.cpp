#include <c10/core/GradMode.h>

#include "engine/runtime/model.h"

#include <algorithm>

#include "engine/kernels/random.h"
#include "front/base/error.h"

namespace mindspeed {
namespace {

bool on_slice(const ParameterSpec& spec, const StageSlice& slice) {
  if (spec.layer == kEmbeddingLayer) return slice.embedding;
  if (spec.layer == kHeadLayer) return slice.head;
  return spec.layer >= slice.first_layer && spec.layer < slice.first_layer + slice.layers;
}

// Where a box of the logical tensor lies in the local one.
at::Tensor local_view(const at::Tensor& local, const ShardBox& box) {
  at::Tensor view = local.detach();
  for (size_t d = 0; d < box.local_start.size(); ++d)
    view = view.narrow(static_cast<int64_t>(d), box.local_start[d], box.logical.size[d]);
  return view;
}

std::span<std::byte> bytes_of(at::Tensor& t) {
  return {static_cast<std::byte*>(t.data_ptr()), static_cast<size_t>(t.nbytes())};
}

// Fills a box with normal values of the tensor's stream, row by row of the last dimension, by global index.
void fill_normal(at::Tensor& out, const ParameterSpec& spec, const Box& box, uint64_t key) {
  const int64_t width = box.size.back(), full_width = spec.shape.back();
  const int64_t rows = width == 0 ? 0 : box.elements() / width;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t left = r, index = 0, stride = full_width;
    for (size_t d = spec.shape.size() - 1; d-- > 0;) {
      index += (box.start[d] + left % box.size[d]) * stride;
      left /= box.size[d];
      stride *= spec.shape[d];
    }
    kernels::normal_values(key, index + box.start.back(), width, out.data_ptr<float>() + r * width);
  }
  out.mul_(spec.init.std);
}

}  // namespace

Model::Model(const Plan& plan, const Mesh& mesh) : plan_(plan), mesh_(mesh) {
  std::vector<StageSlice> mine;
  for (const StageSlice& slice : plan.placement)
    if (slice.stage == mesh.pp_rank) mine.push_back(slice);
  for (const ParameterSpec& spec : plan.parameters) {
    if (std::none_of(mine.begin(), mine.end(), [&](const StageSlice& s) { return on_slice(spec, s); }))
      continue;
    if (!spec.tied_to.empty() && parameters_.has(spec.tied_to)) {
      parameters_.alias(spec.name, spec.tied_to);
      continue;
    }
    Parameter p;
    p.spec = spec;
    p.shard = shard_of(spec, mesh.tp_rank, mesh.degrees.tp, plan.padded_vocab);
    p.tied_copy = !spec.tied_to.empty();
    parameters_.add(std::move(p));
  }
  const int shards = plan.optimizer.sharded ? mesh.degrees.dp : 1;
  store_ = std::make_unique<ParameterStore>(parameters_.all(), plan.precision.parameters, shards);
  for (const StageSlice& slice : mine)
    stages_.push_back(
        std::make_unique<Stage>(build_blocks(plan_, slice, mesh_, parameters_), plan.recompute));
  parameters_.check_all_bound();
}

void Model::load(const TensorSource& source) {
  const c10::AutoGradMode grad_mode(false);
  for (Parameter* p : parameters_.all()) {
    const std::string& name = p->tied_copy ? p->spec.tied_to : p->spec.name;
    for (const ShardBox& box : p->shard.boxes) {
      at::Tensor staged = at::empty(box.logical.size, at::kFloat);
      source.read(name, box.logical, DType::f32, bytes_of(staged));
      local_view(p->value, box).copy_(staged);
    }
  }
}

void Model::initialise(uint64_t seed) {
  const c10::AutoGradMode grad_mode(false);
  for (Parameter* p : parameters_.all()) {
    const std::string& name = p->tied_copy ? p->spec.tied_to : p->spec.name;
    const uint64_t key = kernels::mix(kernels::mix(seed), name);
    at::Tensor(p->value.detach()).zero_();
    for (const ShardBox& box : p->shard.boxes) {
      at::Tensor staged = at::zeros(box.logical.size, at::kFloat);
      if (p->spec.init.kind == InitKind::ones) staged.fill_(1.0);
      if (p->spec.init.kind == InitKind::normal) fill_normal(staged, p->spec, box.logical, key);
      local_view(p->value, box).copy_(staged);
    }
  }
}

int64_t Model::total_parameters() const { return total_elements(plan_.parameters); }

}  // namespace mindspeed
