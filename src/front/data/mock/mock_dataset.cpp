#include "front/data/mock/mock_dataset.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "front/base/error.h"

namespace mindspeed {
namespace {

constexpr int64_t kActiveTokens = 256;
constexpr uint64_t kMeanDocument = 64;

// SplitMix64 (Steele, Lea, Flood 2014): a counter-based generator, so that a sample depends on its number
// only.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace

MockDataset::MockDataset(const MockConfig& config) : config_(config) {
  if (config.vocab < 2)
    refuse("data", "mock data for a vocabulary of {}; at least 2 tokens are needed", config.vocab);
}

void MockDataset::read(int64_t index, SampleView out) const {
  if (index < 0 || index >= config_.size) throw std::logic_error("MockDataset::read: no such sample");
  const auto active = static_cast<uint64_t>(std::min(config_.vocab, kActiveTokens));
  const bool documents = config_.rules.eod >= 0 && config_.rules.eod < config_.vocab;
  const uint64_t key =
      mix(mix(config_.seed * 3 + static_cast<uint64_t>(config_.split)) + static_cast<uint64_t>(index));
  std::vector<int64_t> text(static_cast<size_t>(config_.sequence_length + 1));
  uint64_t token = key % active;
  for (size_t i = 0; i < text.size(); ++i) {
    const uint64_t draw = mix(key + i + 1);
    text[i] = static_cast<int64_t>(token);
    if (documents && (draw >> 40) % kMeanDocument == 0) text[i] = config_.rules.eod;
    token = draw % 8 == 0 ? (draw >> 8) % active : (5 * token + 17) % active;
  }
  lay_out_sample(text, config_.rules, out);
}

}  // namespace mindspeed
