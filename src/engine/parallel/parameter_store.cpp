#include "engine/parallel/parameter_store.h"

#include <functional>
#include <numeric>

#include "engine/device/scalar_type.h"

namespace mindspeed {
namespace {

int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

int64_t local_elements(const Parameter& p) {
  return std::accumulate(p.shard.shape.begin(), p.shard.shape.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

ParameterStore::ParameterStore(const std::vector<Parameter*>& parameters, DType dtype, int shards)
    : parameters_(parameters), shards_(shards) {
  int64_t offset = 0;
  for (const Parameter* p : parameters_) {
    ranges_.push_back({offset, offset + local_elements(*p)});
    offset = round_up(ranges_.back().end, kAlign);
  }
  const int64_t length = round_up(offset, kAlign * shards);
  values_ = at::zeros({length}, device::scalar_type(dtype));
  gradients_ = at::zeros({length}, at::kFloat);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& p = *parameters_[i];
    const Range r = ranges_[i];
    // variable_data(): a view that does not share the buffer's version counter (see docs/architecture.md).
    p.value = values_.narrow(0, r.begin, r.end - r.begin).view(p.shard.shape).variable_data();
    p.value.set_requires_grad(true);
    p.main_grad = gradients_.narrow(0, r.begin, r.end - r.begin).view(p.shard.shape).variable_data();
  }
}

ParameterStore::Range ParameterStore::owned(int shard) const {
  const int64_t part = values_.numel() / shards_;
  return {shard * part, (shard + 1) * part};
}

void ParameterStore::zero_gradients() { gradients_.zero_(); }

}  // namespace mindspeed
