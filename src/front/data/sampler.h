// Which samples a data-parallel rank takes for a micro-batch, as a pure function of how many samples were
// consumed: resuming is asking again with the saved count. Equal to Megatron's MegatronPretrainingSampler
// (`single`) and MegatronPretrainingRandomSampler (`cyclic`) with --dataloader-type.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mindspeed {

struct SamplerConfig {
  int64_t total = 0;          // samples of the set
  int64_t micro = 1;          // samples per rank and micro-batch
  int dp = 1;                 // data-parallel ranks
  bool wrap = false;          // single: begin again at the end instead of failing (evaluation)
  bool data_sharding = true;  // cyclic: every rank shuffles its own part of the set (Megatron's default)
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  // The samples of `rank` for the micro-batch that begins when `consumed` samples have been handed out over
  // all ranks (a multiple of micro * dp). Throws Error when a `single` pass over the set has ended.
  virtual std::vector<int64_t> samples(int64_t consumed, int rank) const = 0;
};

// kind: "single" (in order, once unless `wrap`, the incomplete last group dropped) or "cyclic" (a new
// permutation per epoch). Throws Error (exit code 2) for another kind and for a set smaller than one group of
// micro * dp samples.
std::unique_ptr<Sampler> make_sampler(const std::string& kind, const SamplerConfig& config);

// torch.randperm(count, generator seeded with `seed`) on a CPU (aten/src/ATen/native/TensorFactories.cpp).
std::vector<uint32_t> torch_randperm(uint32_t count, uint32_t seed);

}  // namespace mindspeed
