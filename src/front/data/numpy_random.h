// numpy.random.RandomState (MT19937), bit for bit: Megatron's sample order rests on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace mindspeed {

// The Mersenne twister MT19937 of Matsumoto and Nishimura (1998), seeded with their init_genrand.
class Mt19937 {
 public:
  explicit Mt19937(uint32_t seed);
  uint32_t next32();
  // High word first, as numpy's mt19937_next64.
  uint64_t next64();

 private:
  void refill();
  std::array<uint32_t, 624> state_;
  int position_ = 624;
};

// numpy.random.RandomState(seed): the legacy generator, whose results numpy promises never to change (NEP
// 19).
class NumpyRandom {
 public:
  explicit NumpyRandom(uint32_t seed) : bits_(seed) {}

  // A uniform integer in [0, max], by masked rejection (numpy's random_interval).
  uint64_t interval(uint64_t max);

  // RandomState.shuffle on a one-dimensional array.
  template <class T>
  void shuffle(T* data, size_t count) {
    for (size_t i = count; i-- > 1;) std::swap(data[i], data[interval(i)]);
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    shuffle(values.data(), values.size());
  }

  // RandomState.permutation(count).
  std::vector<int64_t> permutation(size_t count) {
    std::vector<int64_t> order(count);
    std::iota(order.begin(), order.end(), int64_t{0});
    shuffle(order);
    return order;
  }

 private:
  Mt19937 bits_;
};

}  // namespace mindspeed
