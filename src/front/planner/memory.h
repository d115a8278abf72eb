// Forecast of the peak memory of one rank, in bytes, from the Plan alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "front/plan/plan.h"

namespace mindspeed {

struct MemoryItem {
  std::string name;
  uint64_t bytes = 0;
};

struct MemoryForecast {
  int stage = 0;
  std::vector<MemoryItem> items;
  uint64_t total() const;
};

// Every coefficient of the forecast that is measured rather than counted.
struct MemoryModel {
  uint64_t process =
      140ull << 20;  // resident size of a process that has loaded libtorch and trained a tiny model
  // Rows of logits that exist at once: engine/kernels/cross_entropy takes chunks of this many bytes, 32 to
  // 512 rows.
  int64_t logit_chunk_bytes = 64ll << 20;
  int64_t logit_copies = 2;       // logits and their gradient, fp32
  double allocator_slack = 1.05;  // fragmentation, on what the engine allocates
  int64_t backward_layers = 1;    // layers whose backward temporaries exist at once
};

// One forecast per pipeline stage; the tensor-parallel ranks of a stage are alike.
std::vector<MemoryForecast> forecast_memory(const Plan& plan, const MemoryModel& model = {});

// Elements of the activations that the graph of one layer keeps for backward, per token on this rank.
struct LayerActivations {
  double kept = 0;      // elements of the storage type
  double backward = 0;  // further elements that live only while the layer's backward runs
};
LayerActivations layer_activations(const LayerSpec& layer, int64_t hidden, const MeshDegrees& mesh);

}  // namespace mindspeed
