#include "engine/parallel/gradient_sync.h"

#include <algorithm>
#include <stdexcept>

namespace mindspeed {
namespace {

bool partial_over_tp(const Parameter& parameter) {
  const auto& axes = parameter.spec.partial_over;
  return std::find(axes.begin(), axes.end(), Axis::tp) != axes.end();
}

// The copy of a tied tensor that this stage holds, or null. On the last stage it is the tied copy itself, on
// the first the table's embedding, whose partner is on the last.
Parameter* tied_parameter(const std::vector<Parameter*>& parameters, const Mesh& mesh) {
  for (Parameter* parameter : parameters)
    if (mesh.last_stage() ? parameter->tied_copy
                          : parameter->spec.layer == kEmbeddingLayer && parameter->spec.vocab_rows)
      return parameter;
  return nullptr;
}

}  // namespace

GradientSync::GradientSync(ParameterStore& store, const Mesh& mesh, bool sharded)
    : store_(&store), mesh_(mesh), sharded_(sharded && mesh.dp->size() > 1) {
  if (sharded_ &&
      store.owned(mesh.dp_rank).end * mesh.dp->size() != store.values().numel() * (mesh.dp_rank + 1))
    throw std::logic_error("a sharded optimizer needs a store with one shard per data-parallel rank");
}

void GradientSync::reduce() {
  reduce_partial();
  reduce_tied();
  reduce_data_parallel();
}

void GradientSync::reduce_partial() {
  if (mesh_.tp->size() == 1) return;
  std::vector<at::Tensor> parts;
  for (const Parameter* parameter : store_->parameters())
    if (partial_over_tp(*parameter)) parts.push_back(parameter->main_grad.detach().flatten());
  if (parts.empty()) return;
  at::Tensor flat = at::cat(parts);  // one transfer: these are many and small
  mesh_.tp->all_reduce(flat);
  int64_t offset = 0;
  for (at::Tensor& part : parts) {
    part.copy_(flat.narrow(0, offset, part.numel()));
    offset += part.numel();
  }
}

void GradientSync::reduce_tied() {
  if (mesh_.embedding->size() == 1) return;
  Parameter* tied = tied_parameter(store_->parameters(), mesh_);
  // Both partners must agree whether there is a copy: only the last stage knows.
  at::Tensor exists = at::full({1}, mesh_.last_stage() && tied != nullptr ? 1 : 0, at::kInt);
  mesh_.embedding->all_reduce(exists);
  if (exists.item<int>() == 0) return;
  if (tied == nullptr) throw std::logic_error("the first stage has no embedding to tie to");
  at::Tensor gradient = tied->main_grad.detach();
  mesh_.embedding->all_reduce(gradient);
}

void GradientSync::reduce_data_parallel() {
  at::Tensor gradients = store_->gradients();
  mesh_.cp->all_reduce(gradients);
  if (!sharded_) {
    mesh_.dp->all_reduce(gradients);
    return;
  }
  const int64_t shards = mesh_.dp->size(), part = gradients.numel() / shards;
  const at::Tensor rows = gradients.view({shards, part});  // row r is what dp rank r owns
  for (int64_t begin = 0; begin < part; begin += kBucket) {
    const int64_t width = std::min(kBucket, part - begin);
    const at::Tensor mine =
        mesh_.dp->reduce_scatter(rows.narrow(1, begin, width).contiguous());  // [1, width]
    rows[mesh_.dp_rank].narrow(0, begin, width).copy_(mine[0]);
  }
}

std::vector<OptimRange> GradientSync::ranges() const {
  ParameterStore::Range owned{0, store_->values().numel()};
  if (sharded_) owned = store_->owned(mesh_.dp_rank);
  std::vector<OptimRange> ranges;
  for (size_t i = 0; i < store_->parameters().size(); ++i) {
    const Parameter& parameter = *store_->parameters()[i];
    const ParameterStore::Range whole = store_->range_of(i);
    const int64_t begin = std::max(whole.begin, owned.begin), end = std::min(whole.end, owned.end);
    if (begin >= end) continue;
    const bool counted = !parameter.tied_copy && (parameter.spec.tp_dim >= 0 || mesh_.tp_rank == 0);
    ranges.push_back({parameter.spec.name, begin - whole.begin,
                      store_->values().narrow(0, begin, end - begin),
                      store_->gradients().narrow(0, begin, end - begin), parameter.spec.decay, counted});
  }
  return ranges;
}

void GradientSync::gather_values() {
  if (!sharded_) return;
  at::Tensor values = store_->values();
  const int64_t shards = mesh_.dp->size(), part = values.numel() / shards;
  const at::Tensor rows = values.view({shards, part});
  for (int64_t begin = 0; begin < part; begin += kBucket) {
    const int64_t width = std::min(kBucket, part - begin);
    const at::Tensor mine = rows[mesh_.dp_rank].narrow(0, begin, width).contiguous().view({1, width});
    rows.narrow(1, begin, width).copy_(mesh_.dp->all_gather(mine));  // [shards, width]
  }
}

}  // namespace mindspeed
