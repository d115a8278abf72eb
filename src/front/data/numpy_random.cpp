#include "front/data/numpy_random.h"

#include <bit>

namespace mindspeed {

Mt19937::Mt19937(uint32_t seed) {
  state_[0] = seed;
  for (uint32_t i = 1; i < state_.size(); ++i)
    state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

void Mt19937::refill() {
  constexpr size_t n = 624, m = 397;
  for (size_t k = 0; k < n; ++k) {
    const uint32_t y = (state_[k] & 0x80000000u) | (state_[(k + 1) % n] & 0x7fffffffu);
    state_[k] = state_[(k + m) % n] ^ (y >> 1) ^ ((y & 1u) != 0 ? 0x9908b0dfu : 0u);
  }
  position_ = 0;
}

uint32_t Mt19937::next32() {
  if (position_ == 624) refill();
  uint32_t y = state_[static_cast<size_t>(position_++)];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

uint64_t Mt19937::next64() {
  const uint64_t high = next32();
  return high << 32 | next32();
}

uint64_t NumpyRandom::interval(uint64_t max) {
  if (max == 0) return 0;
  const uint64_t mask = ~uint64_t{0} >> std::countl_zero(max);
  uint64_t value;
  do {
    // Numbers up to 2^32 - 1 take one word each: numpy's stream depends on it.
    value = (max <= 0xffffffffu ? bits_.next32() : bits_.next64()) & mask;
  } while (value > max);
  return value;
}

}  // namespace mindspeed
