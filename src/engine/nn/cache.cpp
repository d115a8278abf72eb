#include "engine/nn/cache.h"

#include "front/base/error.h"

namespace mindspeed {

std::pair<at::Tensor, at::Tensor> KvCache::update(int64_t layer, const at::Tensor& k, const at::Tensor& v,
                                                  const at::Tensor& positions) {
  if (static_cast<int64_t>(slots_.size()) <= layer) slots_.resize(static_cast<size_t>(layer + 1));
  Slot& slot = slots_[static_cast<size_t>(layer)];
  if (!slot.k.defined()) {
    slot.k = at::zeros({batch_, k.size(1), capacity_, k.size(3)}, k.options());
    slot.v = at::zeros_like(slot.k);
  }
  const int64_t last = positions.max().item<int64_t>();
  if (last >= capacity_)
    fail("cache", "position {} is past the key-value cache of {} tokens", last, capacity_);
  slot.used = std::max(slot.used, last + 1);
  for (int64_t b = 0; b < k.size(0); ++b) {
    slot.k[b].index_copy_(1, positions[b], k[b]);
    slot.v[b].index_copy_(1, positions[b], v[b]);
  }
  return {slot.k.narrow(2, 0, slot.used), slot.v.narrow(2, 0, slot.used)};
}

void KvCache::select_rows(const at::Tensor& rows) {
  for (Slot& slot : slots_) {
    if (!slot.k.defined()) continue;
    slot.k = slot.k.index_select(0, rows);
    slot.v = slot.v.index_select(0, rows);
  }
  batch_ = rows.size(0);
}

}  // namespace mindspeed
