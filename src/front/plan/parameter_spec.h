// The parameter table: every tensor of a model by its logical (layout-free) name and shape, with what a layout
// may do to it. Loading, saving, conversion, optimizers, clipping and adapters read this table and nothing else.
//
// Names:  embedding.weight [V, H]                    embedding.positions [P, H]
//         layers.N.<branch>.norm.weight [H]          layers.N.<branch>.post_norm.weight [H]   (.bias for layer norm)
//         layers.N.attn.qkv.weight [(h + 2g) d, H]   rows: all q heads, all k heads, all v heads (segments q, k, v)
//         layers.N.attn.qkv.bias                     layers.N.attn.{q_norm,k_norm}.weight [d]
//         layers.N.attn.out.weight [H, h d]          layers.N.attn.out.bias [H]
//         layers.N.mlp.gate_up.weight [2F, H]        segments gate, up; ungated: layers.N.mlp.up.weight [F, H]
//         layers.N.mlp.down.weight [H, F]            biases likewise
//         head.norm.weight [H]                       head.weight [V, H] (when tied: tied_to embedding.weight)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/dtype.h"
#include "front/plan/model_spec.h"

namespace mindspeed {

// A box of a tensor: `size[i]` elements from `start[i]` on in dimension i.
struct Box {
  std::vector<int64_t> start;
  std::vector<int64_t> size;
  int64_t elements() const;
  bool operator==(const Box&) const = default;
};
Box whole(const std::vector<int64_t>& shape);

// Rows [offset, offset + size) of dimension 0 that belong together (q, k, v; gate, up).
struct Segment {
  std::string name;
  int64_t offset = 0;
  int64_t size = 0;
};

enum class Axis { tp, cp, ep, dp, pp };
enum class InitKind { normal, ones, zeros };

struct Init {
  InitKind kind = InitKind::normal;
  double std = 0.02;
};

struct ParameterSpec {
  std::string name;
  std::vector<int64_t> shape;      // logical: true vocabulary, all heads
  std::vector<Segment> segments;   // of dimension 0; empty = one segment
  int tp_dim = -1;                 // dimension that tensor parallelism cuts (dimension 0: every segment); -1 = replicated
  bool vocab_rows = false;         // dimension 0 is the vocabulary: a layout may pad it
  std::vector<Axis> partial_over;  // axes over which each rank's gradient is a partial sum although it holds the whole tensor
  std::string tied_to;             // name of the parameter whose value this one shares
  Init init;
  bool decay = true;               // weight decay: false for 1-D tensors and biases
  int layer = -1;                  // layer number; -1 embedding, -2 head
  int64_t elements() const;
};
inline constexpr int kEmbeddingLayer = -1;
inline constexpr int kHeadLayer = -2;

// The table of a model in forward order. `sequence_parallel` marks norms and row biases as partial over tp.
std::vector<ParameterSpec> parameter_table(const ModelSpec& model, bool sequence_parallel = false);

// Which part of a logical tensor a rank holds: `logical` box goes to `local_start` of the local tensor.
struct ShardBox {
  Box logical;
  std::vector<int64_t> local_start;
};
struct Shard {
  std::vector<int64_t> shape;   // local shape, padding rows included
  std::vector<ShardBox> boxes;  // one per segment (empty boxes are left out)
};

// The shard of tensor-parallel rank `rank` of `size`. Vocabulary rows are padded to `padded_vocab` before the cut
// (0 = no padding). Throws Error with the numbers when a segment does not divide.
Shard shard_of(const ParameterSpec& parameter, int rank, int size, int64_t padded_vocab = 0);

int64_t total_elements(const std::vector<ParameterSpec>& table);

}  // namespace mindspeed
