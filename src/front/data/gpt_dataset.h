// Megatron's GPTDataset on a .bin/.idx pair: pre-training samples of fixed length, cut from shuffled
// sequences.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "front/data/index/gpt_index.h"
#include "front/data/index/split.h"
#include "front/data/sample.h"

namespace mindspeed {

class IndexedDataset;

struct GptConfig {
  int64_t sequence_length = 0;
  uint32_t seed = 1234;
  SampleRules rules;
  std::string split = "969,30,1";
  bool extra_token = true;              // Megatron's add_extra_token_to_sequence
  bool drop_last_partial_valid = true;  // Megatron's drop_last_partial_validation_sequence
  std::filesystem::path cache;          // folder of index files; empty = keep the indices in memory only
  std::string tokenizer;                // named in the cache key
};

// One split of one file.
class GptDataset : public SampleSet {
 public:
  GptDataset(std::shared_ptr<const IndexedDataset> file, const GptConfig& config, GptIndex index);
  int64_t size() const override { return index_.size(); }
  int64_t sequence_length() const override { return sequence_length_; }
  void read(int64_t index, SampleView out) const override;
  int64_t supervised(int64_t index) const override;
  const GptIndex& index() const { return index_; }

 private:
  // The tokens of a sample, at most sequence_length + extra.
  std::vector<int64_t> text(int64_t index) const;

  std::shared_ptr<const IndexedDataset> file_;
  SampleRules rules_;
  int64_t sequence_length_;
  int64_t extra_;
  bool partial_tail_;  // the last sample may be shorter than the others
  GptIndex index_;
};

// Builds one split of `file`, or opens its indices from the cache. `num_samples` as in GptIndexRequest.
// Throws Error (exit code 2) when the split has weight but rounds to no sequence or to too few tokens.
std::shared_ptr<const GptDataset> open_gpt_split(std::shared_ptr<const IndexedDataset> file,
                                                 const GptConfig& config, Split split,
                                                 std::optional<int64_t> num_samples);

// Samples wanted per split; nothing: every sample of one epoch.
using SplitSizes = std::array<std::optional<int64_t>, 3>;
// Null for a split of weight 0, and for one of which no sample is wanted.
using SplitSets = std::array<std::shared_ptr<const SampleSet>, 3>;

// All splits of one file, or of a blend of several. `weights` is empty or has one entry per prefix; without
// weights several files are mixed in proportion to their samples.
SplitSets open_gpt_splits(std::span<const std::string> prefixes, std::span<const double> weights,
                          const GptConfig& config, const SplitSizes& sizes);

}  // namespace mindspeed
