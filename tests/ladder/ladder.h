// The ladder: a model trained in a layout must follow the same model on one rank, in loss, every gradient and
// every weight. A new layout is a row in layouts(); a new family comes from the registry.
#pragma once

#include <string>
#include <vector>

#include "front/plan/plan.h"

namespace mindspeed::test {

struct Layout {
  std::string name;  // of the proof: "tp2", "tp2+sp", "dp2.sharded" ...
  MeshDegrees mesh;
  bool sharded = false;  // optimizer
};
const std::vector<Layout>& layouts();

// The largest max|a - b| / max|b| over all tensors of a kind, and the tensor it belongs to.
struct Deviation {
  double error = 0;
  std::string tensor;
};
struct Comparison {
  double loss = 0;  // largest relative error over the steps
  Deviation gradients, weights;
  std::vector<std::string> faults;  // replicas that differ, tensors without a value
  bool within(double tolerance) const;
};

// Trains `preset` (registry name, "qwen3:debug") for five SGD steps on one rank and in the layout, and
// compares. The one-rank run is made once per preset.
Comparison climb(const std::string& preset, const Layout& layout);

}  // namespace mindspeed::test
