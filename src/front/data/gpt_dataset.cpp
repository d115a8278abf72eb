#include "front/data/gpt_dataset.h"

#include <algorithm>
#include <stdexcept>

#include "front/base/error.h"
#include "front/base/log.h"
#include "front/data/index/blend.h"
#include "front/data/index/index_cache.h"
#include "front/formats/indexed_dataset.h"

namespace mindspeed {
namespace {

using SetPointer = std::shared_ptr<const SampleSet>;
using FilePointer = std::shared_ptr<const IndexedDataset>;

GptIndexRequest request_for(const IndexedDataset& file, const GptConfig& config, Split split,
                            std::optional<int64_t> num_samples) {
  const std::optional<SplitPart> part = parse_split(config.split)[static_cast<size_t>(split)];
  if (!part) throw std::logic_error("open_gpt_split: the split has weight 0");
  GptIndexRequest request;
  request.lengths = file.sequence_lengths();
  request.range = split_range(*part, static_cast<int64_t>(request.lengths.size()));
  request.num_samples = num_samples;
  request.sequence_length = config.sequence_length;
  request.seed = config.seed;
  request.extra_token = config.extra_token;
  request.drop_last_partial = split != Split::valid || config.drop_last_partial_valid;
  if (request.range.size() < 1)
    refuse("data",
           "{}: --split \"{}\" gives {} weight, but its share of {} sequences rounds to none; give it more "
           "weight, weight 0, or a file of its own",
           file.prefix(), config.split, split_name(split), request.lengths.size());
  return request;
}

// The sizes and weights of one split of a blend.
struct BlendPlan {
  std::vector<double> weights;
  BlendIndex index;
  std::vector<std::optional<int64_t>> per_set;  // samples asked of each file
};

std::vector<int64_t> one_epoch_sizes(std::span<const FilePointer> files, const GptConfig& config,
                                     Split split) {
  std::vector<int64_t> sizes;
  for (const FilePointer& file : files)
    sizes.push_back(gpt_index_shape(request_for(*file, config, split, std::nullopt)).samples);
  return sizes;
}

BlendPlan plan_blend(std::span<const FilePointer> files, std::span<const double> weights,
                     const GptConfig& config, Split split, std::optional<int64_t> size) {
  BlendPlan plan;
  plan.per_set.assign(files.size(), std::nullopt);
  int64_t total = size.value_or(0);
  if (weights.empty()) {
    const std::vector<int64_t> sizes = one_epoch_sizes(files, config, split);
    if (!size) {
      plan.index = build_exhaustive_blend(sizes);
      return plan;
    }
    plan.weights = normalize_weights(std::vector<double>(sizes.begin(), sizes.end()));
    int64_t available = 0;
    for (const int64_t n : sizes) available += n;
    if (total <= available) {  // one epoch of each is enough, as Megatron takes it
      plan.index = build_blend(plan.weights, total);
      return plan;
    }
  } else {
    plan.weights = normalize_weights(weights);
  }
  if (!size)
    refuse("data", "a weighted blend needs a number of samples; drop the weights to use every sample once");
  const BlendSizes asked = blend_sizes(plan.weights, total);
  plan.index = build_blend(plan.weights, asked.total);
  for (size_t i = 0; i < files.size(); ++i)
    plan.per_set[i] = std::max(asked.per_set[i], plan.index.counts[i]);
  return plan;
}

SetPointer open_blend(std::span<const FilePointer> files, std::span<const double> weights,
                      const GptConfig& config, Split split, std::optional<int64_t> size) {
  BlendPlan plan = plan_blend(files, weights, config, split, size);
  std::vector<SetPointer> sets;
  for (size_t i = 0; i < files.size(); ++i) {
    sets.push_back(open_gpt_split(files[i], config, split, plan.per_set[i]));
    log_info("data: {} blend takes {} of {} samples ({:.4f}) from {}", split_name(split),
             plan.index.counts[i], plan.index.set.size(),
             static_cast<double>(plan.index.counts[i]) / static_cast<double>(plan.index.set.size()),
             files[i]->prefix());
  }
  return std::make_shared<BlendedSet>(std::move(sets), std::move(plan.index));
}

}  // namespace

GptDataset::GptDataset(std::shared_ptr<const IndexedDataset> file, const GptConfig& config, GptIndex index)
    : file_(std::move(file)),
      rules_(config.rules),
      sequence_length_(config.sequence_length),
      extra_(config.extra_token ? 1 : 0),
      partial_tail_(!config.drop_last_partial_valid),
      index_(std::move(index)) {}

std::vector<int64_t> GptDataset::text(int64_t index) const {
  if (index < 0 || index >= size()) throw std::logic_error("GptDataset::read: no such sample");
  const auto sample = static_cast<size_t>(index_.shuffle[static_cast<size_t>(index)]);
  const auto first = static_cast<size_t>(index_.samples[2 * sample]);
  const auto last = static_cast<size_t>(index_.samples[2 * sample + 2]);
  const int64_t begin_offset = index_.samples[2 * sample + 1];
  const int64_t end_offset = index_.samples[2 * sample + 3] + extra_;
  std::vector<int64_t> text(static_cast<size_t>(sequence_length_ + extra_));
  size_t filled = 0;
  const std::span<const int32_t> lengths = file_->sequence_lengths();
  for (size_t d = first; d <= last; ++d) {
    const auto sequence = static_cast<size_t>(index_.documents[d]);
    const int64_t begin = d == first ? begin_offset : 0;
    const int64_t end = d == last ? end_offset : lengths[sequence];
    const auto count = static_cast<size_t>(std::max<int64_t>(0, end - begin));
    file_->read(sequence, static_cast<size_t>(begin), std::span(text).subspan(filled, count));
    filled += count;
  }
  text.resize(filled);
  return text;
}

void GptDataset::read(int64_t index, SampleView out) const { lay_out_sample(text(index), rules_, out); }

int64_t GptDataset::supervised(int64_t index) const {
  // Only masks that look at ids, and a short last sample, need the tokens.
  const bool by_id = rules_.eod_mask_loss || rules_.pad >= 0 || extra_ == 0;
  if (by_id || partial_tail_) return SampleSet::supervised(index);
  return sequence_length_;
}

std::shared_ptr<const GptDataset> open_gpt_split(std::shared_ptr<const IndexedDataset> file,
                                                 const GptConfig& config, Split split,
                                                 std::optional<int64_t> num_samples) {
  const GptIndexRequest request = request_for(*file, config, split, num_samples);
  GptIndex index =
      config.cache.empty()
          ? build_gpt_index(request)
          : cached_gpt_index(request, {config.cache, file->prefix(), config.split, config.tokenizer, split});
  return std::make_shared<GptDataset>(std::move(file), config, std::move(index));
}

SplitSets open_gpt_splits(std::span<const std::string> prefixes, std::span<const double> weights,
                          const GptConfig& config, const SplitSizes& sizes) {
  if (prefixes.empty())
    refuse("data", "no data came; --data-path PREFIX (without .bin) or --mock-data is needed");
  if (!weights.empty() && weights.size() != prefixes.size())
    throw std::logic_error("open_gpt_splits: one weight per prefix is needed");
  std::vector<FilePointer> files;
  for (const std::string& prefix : prefixes) files.push_back(std::make_shared<const IndexedDataset>(prefix));
  const SplitMatrix matrix = parse_split(config.split);
  SplitSets sets;
  for (const Split split : kSplits) {
    const auto i = static_cast<size_t>(split);
    if (!matrix[i] || sizes[i] == 0) continue;
    sets[i] = files.size() == 1 ? SetPointer(open_gpt_split(files[0], config, split, sizes[i]))
                                : open_blend(files, weights, config, split, sizes[i]);
  }
  return sets;
}

}  // namespace mindspeed
