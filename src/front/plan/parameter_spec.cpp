#include "front/plan/parameter_spec.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "front/base/error.h"

namespace mindspeed {
namespace {

// Collects rows of the table under a prefix, with the rules that hold for every model.
class TableBuilder {
 public:
  TableBuilder(const ModelSpec& model, bool sequence_parallel)
      : model_(model), sequence_parallel_(sequence_parallel) {}

  void norm(const std::string& prefix, const NormSpec& spec, int64_t width, std::vector<Axis> partial) {
    ParameterSpec& weight = vector(prefix + ".weight", width, std::move(partial));
    weight.init.kind = spec.unit_offset ? InitKind::zeros : InitKind::ones;
    if (spec.bias) {
      const std::vector<Axis> same = weight.partial_over;
      vector(prefix + ".bias", width, same).init.kind = InitKind::zeros;
    }
  }

  // A norm over hidden states: each rank sees its part of the sequence under sequence parallelism.
  void hidden_norm(const std::string& prefix, const NormSpec& spec) { norm(prefix, spec, model_.hidden, sequence_axes()); }

  // A 1-D tensor: no weight decay.
  ParameterSpec& vector(const std::string& name, int64_t width, std::vector<Axis> partial) {
    ParameterSpec& p = add(name, {width});
    p.decay = false;
    p.partial_over = std::move(partial);
    return p;
  }

  ParameterSpec& matrix(const std::string& name, int64_t rows, int64_t columns, int tp_dim, double std) {
    ParameterSpec& p = add(name, {rows, columns});
    p.tp_dim = tp_dim;
    p.init.std = std;
    return p;
  }

  void bias(const std::string& name, int64_t width, int tp_dim, std::vector<Segment> segments) {
    ParameterSpec& p = vector(name, width, tp_dim < 0 ? sequence_axes() : std::vector<Axis>{});
    p.tp_dim = tp_dim;
    p.segments = std::move(segments);
    p.init.kind = InitKind::zeros;
  }

  std::vector<Axis> sequence_axes() const {
    return sequence_parallel_ ? std::vector<Axis>{Axis::tp} : std::vector<Axis>{};
  }

  void set_layer(int layer) { layer_ = layer; }
  std::vector<ParameterSpec> take() { return std::move(table_); }

 private:
  ParameterSpec& add(const std::string& name, std::vector<int64_t> shape) {
    ParameterSpec& p = table_.emplace_back();
    p.name = name;
    p.shape = std::move(shape);
    p.init.std = model_.init_std;
    p.layer = layer_;
    return p;
  }

  const ModelSpec& model_;
  bool sequence_parallel_;
  int layer_ = kEmbeddingLayer;
  std::vector<ParameterSpec> table_;
};

void add_op(TableBuilder& t, const ModelSpec& model, const std::string& prefix, const AttentionSpec& a, double out_std) {
  const int64_t q = a.heads * a.head_dim;
  const int64_t kv = a.kv_heads * a.head_dim;
  const std::vector<Segment> segments{{"q", 0, q}, {"k", q, kv}, {"v", q + kv, kv}};
  t.matrix(prefix + ".qkv.weight", q + 2 * kv, model.hidden, 0, model.init_std).segments = segments;
  if (a.qkv_bias) t.bias(prefix + ".qkv.bias", q + 2 * kv, 0, segments);
  if (a.qk_norm) {  // each tp rank normalises its own heads with the same weights
    t.norm(prefix + ".q_norm", *a.qk_norm, a.head_dim, {Axis::tp});
    t.norm(prefix + ".k_norm", *a.qk_norm, a.head_dim, {Axis::tp});
  }
  t.matrix(prefix + ".out.weight", model.hidden, q, 1, out_std);
  if (a.out_bias) t.bias(prefix + ".out.bias", model.hidden, -1, {});
}

void add_op(TableBuilder& t, const ModelSpec& model, const std::string& prefix, const DenseSpec& d, double out_std) {
  const std::string first = prefix + (d.gated ? ".gate_up" : ".up");
  const std::vector<Segment> segments =
      d.gated ? std::vector<Segment>{{"gate", 0, d.ffn}, {"up", d.ffn, d.ffn}} : std::vector<Segment>{};
  const int64_t rows = d.gated ? 2 * d.ffn : d.ffn;
  t.matrix(first + ".weight", rows, model.hidden, 0, model.init_std).segments = segments;
  if (d.bias) t.bias(first + ".bias", rows, 0, segments);
  t.matrix(prefix + ".down.weight", model.hidden, d.ffn, 1, out_std);
  if (d.bias) t.bias(prefix + ".down.bias", model.hidden, -1, {});
}

}  // namespace

int64_t Box::elements() const { return std::accumulate(size.begin(), size.end(), int64_t{1}, std::multiplies<>()); }

Box whole(const std::vector<int64_t>& shape) { return {std::vector<int64_t>(shape.size(), 0), shape}; }

int64_t ParameterSpec::elements() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

int64_t total_elements(const std::vector<ParameterSpec>& table) {
  int64_t sum = 0;
  for (const ParameterSpec& p : table)
    if (p.tied_to.empty()) sum += p.elements();
  return sum;
}

std::vector<ParameterSpec> parameter_table(const ModelSpec& model, bool sequence_parallel) {
  TableBuilder t(model, sequence_parallel);
  t.matrix("embedding.weight", model.vocab, model.hidden, 0, model.init_std).vocab_rows = true;
  if (model.embedding.learned_positions > 0)
    t.matrix("embedding.positions", model.embedding.learned_positions, model.hidden, -1, model.init_std);
  for (size_t i = 0; i < model.layers.size(); ++i) {
    t.set_layer(static_cast<int>(i));
    for (const BranchSpec& branch : model.layers[i].branches) {
      const std::string prefix = fmt::format("layers.{}.{}", i, branch.name);
      if (branch.pre_norm) t.hidden_norm(prefix + ".norm", *branch.pre_norm);
      std::visit([&](const auto& op) { add_op(t, model, prefix, op, model.init_std_out()); }, branch.op);
      if (branch.post_norm) t.hidden_norm(prefix + ".post_norm", *branch.post_norm);
    }
  }
  t.set_layer(kHeadLayer);
  if (model.head.norm) t.hidden_norm("head.norm", *model.head.norm);
  ParameterSpec& head = t.matrix("head.weight", model.vocab, model.hidden, 0, model.init_std);
  head.vocab_rows = true;
  if (model.head.tied) head.tied_to = "embedding.weight";
  if (model.head.bias) {
    t.bias("head.bias", model.vocab, 0, {});
  }
  return t.take();
}

Shard shard_of(const ParameterSpec& p, int rank, int size, int64_t padded_vocab) {
  if (p.tp_dim < 0 || size == 1) {
    Shard shard{p.shape, {{whole(p.shape), std::vector<int64_t>(p.shape.size(), 0)}}};
    if (p.vocab_rows && padded_vocab > 0) shard.shape[0] = padded_vocab;
    return shard;
  }
  std::vector<Segment> segments = p.segments;
  if (segments.empty() || p.tp_dim != 0) segments = {{"", 0, p.shape[p.tp_dim]}};
  if (p.vocab_rows && padded_vocab > 0) segments[0].size = padded_vocab;

  Shard shard;
  shard.shape = p.shape;
  shard.shape[p.tp_dim] = 0;
  for (const Segment& segment : segments) {
    if (segment.size % size != 0)
      refuse("layout", "{}: {} rows of segment \"{}\" do not divide over tensor-model-parallel-size {}", p.name,
             segment.size, segment.name, size);
    const int64_t part = segment.size / size;
    const int64_t first = segment.offset + rank * part;
    const int64_t held = std::max<int64_t>(0, std::min(part, p.shape[p.tp_dim] - first));  // padding rows hold nothing
    ShardBox box{whole(p.shape), std::vector<int64_t>(p.shape.size(), 0)};
    box.logical.start[p.tp_dim] = first;
    box.logical.size[p.tp_dim] = held;
    box.local_start[p.tp_dim] = shard.shape[p.tp_dim];
    if (held > 0) shard.boxes.push_back(box);
    shard.shape[p.tp_dim] += part;
  }
  return shard;
}

}  // namespace mindspeed
