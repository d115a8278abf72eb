#include "front/planner/memory.h"

#include <algorithm>
#include <variant>

namespace mindspeed {
namespace {

// Elements per token that attention keeps: its normalised input, q k v (once before and once after norm or
// rope where these make a copy), and its output. Scores are never kept.
double attention_elements(const AttentionSpec& a, double hidden, double tp) {
  const auto query = static_cast<double>(a.heads * a.head_dim);
  const auto key_value = static_cast<double>(2 * a.kv_heads * a.head_dim);
  const double rotated = query + key_value / 2;
  double kept = query + key_value + query;      // q, k, v and the output
  if (a.qk_norm) kept += rotated;               // the input of the norm
  if (a.rope) kept += a.qk_norm ? 0 : rotated;  // one copy serves rope and norm
  return hidden + kept / tp;
}

// The normalised input, gate and up, and their product.
double dense_elements(const DenseSpec& d, double hidden, double tp) {
  return hidden + static_cast<double>(d.ffn) * (d.gated ? 3.0 : 2.0) / tp;
}

double branch_elements(const BranchSpec& branch, double hidden, double tp) {
  if (const auto* attention = std::get_if<AttentionSpec>(&branch.op))
    return attention_elements(*attention, hidden, tp);
  return dense_elements(std::get<DenseSpec>(branch.op), hidden, tp);
}

const StageSlice* slice_of(const Plan& plan, const ParameterSpec& parameter, int stage) {
  for (const StageSlice& slice : plan.placement) {
    if (slice.stage != stage) continue;
    const bool inside =
        parameter.layer >= slice.first_layer && parameter.layer < slice.first_layer + slice.layers;
    if (inside || (parameter.layer == kEmbeddingLayer && slice.embedding) ||
        (parameter.layer == kHeadLayer && slice.head))
      return &slice;
  }
  return nullptr;
}

// Parameter elements on a rank of this stage. A tied head on another stage than the embedding has its own
// copy.
int64_t local_elements(const Plan& plan, int stage) {
  int64_t total = 0;
  bool has_embedding = false;
  for (const StageSlice& slice : plan.placement) has_embedding |= slice.stage == stage && slice.embedding;
  for (const ParameterSpec& parameter : plan.parameters) {
    if (slice_of(plan, parameter, stage) == nullptr) continue;
    if (!parameter.tied_to.empty() && has_embedding) continue;
    const Shard shard = shard_of(parameter, 0, plan.mesh.tp, plan.padded_vocab);
    int64_t elements = 1;
    for (const int64_t size : shard.shape) elements *= size;
    total += elements;
  }
  return total;
}

// Activations of the micro-batches in flight on this stage, and the backward temporaries of one layer.
double activation_bytes(const Plan& plan, int stage, const MemoryModel& model) {
  const double element = static_cast<double>(size_of(plan.precision.parameters));
  const double tokens = static_cast<double>(plan.batch.micro * plan.batch.sequence) / plan.mesh.cp;
  const double boundary =
      static_cast<double>(plan.model.hidden) / (plan.mesh.sequence_parallel ? plan.mesh.tp : 1);
  const auto in_flight =
      static_cast<double>(std::min<int64_t>(plan.mesh.pp - stage, plan.batch.micro_batches));
  double kept = 0, largest = 0;
  int64_t index = 0;
  for (const StageSlice& slice : plan.placement) {
    if (slice.stage != stage) continue;
    for (int i = 0; i < slice.layers; ++i, ++index) {
      const LayerActivations layer = layer_activations(
          plan.model.layers[static_cast<size_t>(slice.first_layer) + static_cast<size_t>(i)],
          plan.model.hidden, plan.mesh);
      const bool uniform = plan.recompute.method == "uniform";
      const bool dropped =
          plan.recompute.granularity == Recompute::full && (uniform || index < plan.recompute.layers);
      // A group that is recomputed together keeps one input, and all its activations for its backward pass.
      const auto group = static_cast<double>(uniform ? plan.recompute.layers : 1);
      kept += dropped ? boundary / group : layer.kept;
      largest = std::max(largest, layer.backward + (dropped ? group * layer.kept : 0));
    }
    if (slice.head) kept += boundary;
  }
  return (kept * in_flight + largest * static_cast<double>(model.backward_layers)) * tokens * element;
}

uint64_t logit_bytes(const Plan& plan, int stage, const MemoryModel& model) {
  if (stage + 1 != plan.mesh.pp) return 0;
  const int64_t width = plan.padded_vocab / plan.mesh.tp;
  const int64_t chunk = std::clamp<int64_t>(model.logit_chunk_bytes / (4 * width), 32, 512);
  const int64_t rows = std::min(chunk, plan.batch.micro * plan.batch.sequence);
  return static_cast<uint64_t>(rows * width * model.logit_copies) * sizeof(float);
}

// Bytes per parameter element of the optimizer's own state.
uint64_t optimizer_bytes(const Plan& plan, int64_t elements) {
  const bool master = plan.precision.parameters != DType::f32;
  const uint64_t moments = plan.optimizer.kind == "adamw" ? 8 : plan.optimizer.momentum > 0 ? 4 : 0;
  const uint64_t bytes = static_cast<uint64_t>(elements) * (moments + (master ? 4 : 0));
  return plan.optimizer.sharded ? bytes / static_cast<uint64_t>(plan.mesh.dp) : bytes;
}

// Bytes of a checkpoint that this rank writes (data-parallel rank 0, which writes the most).
uint64_t saved_bytes(const Plan& plan, int64_t elements) {
  const uint64_t weights = static_cast<uint64_t>(elements) * size_of(plan.precision.parameters);
  return weights + (plan.checkpoint.save_optimizer ? optimizer_bytes(plan, elements) : 0);
}

}  // namespace

uint64_t MemoryForecast::total() const {
  uint64_t sum = 0;
  for (const MemoryItem& item : items) sum += item.bytes;
  return sum;
}

LayerActivations layer_activations(const LayerSpec& layer, int64_t hidden, const MeshDegrees& mesh) {
  const double tp = mesh.tp;
  const double boundary = static_cast<double>(hidden) / (mesh.sequence_parallel ? tp : 1.0);
  LayerActivations out;
  for (const BranchSpec& branch : layer.branches) {
    const double op = branch_elements(branch, boundary, tp);
    out.kept +=
        boundary + op + (branch.post_norm ? boundary : 0);  // the branch's input, then what the op keeps
    out.backward = std::max(out.backward, op);              // gradients mirror what is kept
  }
  return out;
}

std::vector<MemoryForecast> forecast_memory(const Plan& plan, const MemoryModel& model) {
  std::vector<MemoryForecast> out;
  for (int stage = 0; stage < plan.mesh.pp; ++stage) {
    const int64_t elements = local_elements(plan, stage);
    const auto count = static_cast<uint64_t>(elements);
    MemoryForecast forecast{.stage = stage, .items = {}};
    forecast.items = {{"weights", count * size_of(plan.precision.parameters)},
                      {"gradients (fp32)", count * sizeof(float)},
                      {"optimizer state", optimizer_bytes(plan, elements)},
                      {"activations", static_cast<uint64_t>(activation_bytes(plan, stage, model))},
                      {"logits", logit_bytes(plan, stage, model)}};
    if (plan.checkpoint.background)
      forecast.items.push_back({"copy for --async-save", saved_bytes(plan, elements)});
    const double allocated = static_cast<double>(forecast.total());
    forecast.items.push_back({"allocator", static_cast<uint64_t>(allocated * (model.allocator_slack - 1.0))});
    forecast.items.push_back({"program and libtorch", model.process});
    out.push_back(std::move(forecast));
  }
  return out;
}

}  // namespace mindspeed
