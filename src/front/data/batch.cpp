#include "front/data/batch.h"

#include <algorithm>
#include <stdexcept>

#include "front/base/error.h"
#include "front/base/log.h"
#include "front/data/gpt_dataset.h"
#include "front/data/mock/mock_dataset.h"
#include "front/data/prepare/fingerprint.h"
#include "front/plan/batch_schedule.h"

namespace mindspeed {
namespace {

SampleRules rules_of(const DataPlan& data) {
  SampleRules rules;
  rules.eod = data.eod;
  rules.eod_mask_loss = data.eod_mask_loss;
  rules.reset_position_ids = data.reset_position_ids;
  rules.reset_attention_mask = data.reset_attention_mask;
  if (rules.eod < 0 && (rules.eod_mask_loss || rules.reset_position_ids || rules.reset_attention_mask))
    refuse("data",
           "--eod-mask-loss, --reset-position-ids and --reset-attention-mask need the id of the "
           "end-of-document token; no tokenizer that names one came: give --tokenizer-name-or-path");
  return rules;
}

SplitSets open_mock(const TrainingDataConfig& config, const std::array<int64_t, 3>& sizes) {
  SplitSets sets;
  for (const Split split : kSplits) {
    const int64_t size = sizes[static_cast<size_t>(split)];
    if (size == 0) continue;
    MockConfig mock;
    mock.size = size;
    mock.sequence_length = config.batch.sequence;
    mock.vocab = config.vocab;
    mock.seed = config.seed;
    mock.split = split;
    mock.rules = rules_of(config.data);
    sets[static_cast<size_t>(split)] = std::make_shared<MockDataset>(mock);
  }
  return sets;
}

SplitSets open_files(const TrainingDataConfig& config, const std::array<int64_t, 3>& sizes) {
  for (const std::string& prefix : config.data.paths) check_fingerprint(prefix, config.tokenizer_fingerprint);
  GptConfig gpt;
  gpt.sequence_length = config.batch.sequence;
  gpt.seed = static_cast<uint32_t>(config.seed);
  gpt.rules = rules_of(config.data);
  gpt.split = config.data.split;
  gpt.cache = config.data.cache_path;
  gpt.tokenizer = config.data.tokenizer;
  return open_gpt_splits(config.data.paths, config.data.weights, gpt, {sizes[0], sizes[1], sizes[2]});
}

}  // namespace

TrainingDataConfig training_data_config(const Plan& plan) {
  TrainingDataConfig config;
  config.data = plan.data;
  config.batch = plan.batch;
  config.eval = plan.eval;
  config.dp = plan.mesh.dp;
  config.vocab = plan.model.vocab;
  config.seed = plan.run.seed;
  return config;
}

TrainingData::TrainingData(const TrainingDataConfig& config) : config_(config) {
  if (config.seed > UINT32_MAX && !config.data.mock)
    refuse("data", "--seed {} came; the sample order needs one below 2^32", config.seed);
  const std::array<int64_t, 3> sizes =
      samples_per_split(training_samples(config.batch), config.batch.steps, config.batch.global,
                        config.eval.interval, config.eval.iterations);
  const SplitSets sets = config.data.mock ? open_mock(config, sizes) : open_files(config, sizes);
  for (const Split split : kSplits) {
    const auto i = static_cast<size_t>(split);
    if (!sets[i]) {
      if (sizes[i] > 0)
        log_warning("data: --split {} has no {} part: {} is skipped", config.data.split, split_name(split),
                    split == Split::train ? "training" : "this evaluation");
      continue;
    }
    // Evaluation always reads in order, as Megatron's loaders do for a fixed comparison over the run. A run
    // that is made longer after a resume needs more samples than were counted for it at first: it begins
    // again.
    const std::string kind = split == Split::train ? config.data.dataloader : "single";
    parts_[i].set = sets[i];
    parts_[i].sampler = make_sampler(kind, {.total = sets[i]->size(),
                                            .micro = config.batch.micro,
                                            .dp = config.dp,
                                            .wrap = split != Split::train});
  }
}

int64_t TrainingData::size(Split split) const { return has(split) ? part(split).set->size() : 0; }

const TrainingData::Part& TrainingData::part(Split split) const {
  const Part& found = parts_[static_cast<size_t>(split)];
  if (!found.set) throw std::logic_error("TrainingData: this split has no samples");
  return found;
}

Batch TrainingData::micro_batch(Split split, int64_t consumed, int64_t micro_batch, int rank) const {
  const Part& from = part(split);
  const int64_t micro = config_.batch.micro;
  if (rank < 0 || rank >= config_.dp) throw std::logic_error("TrainingData: no such data-parallel rank");
  Batch batch;
  batch.micro = micro;
  batch.sequence = from.set->sequence_length();
  const auto row = static_cast<size_t>(batch.sequence);
  const size_t elements = static_cast<size_t>(micro) * row;
  batch.tokens.resize(elements);
  batch.labels.resize(elements);
  batch.loss_mask.resize(elements);
  batch.positions.resize(elements);
  batch.document_starts.resize(static_cast<size_t>(micro));
  const auto numbers = from.sampler->samples(consumed + micro_batch * micro * config_.dp, rank);
  for (size_t b = 0; b < numbers.size(); ++b) {
    from.set->read(numbers[b], {.tokens = std::span(batch.tokens).subspan(b * row, row),
                                .labels = std::span(batch.labels).subspan(b * row, row),
                                .loss_mask = std::span(batch.loss_mask).subspan(b * row, row),
                                .positions = std::span(batch.positions).subspan(b * row, row),
                                .document_starts = &batch.document_starts[b]});
  }
  check_vocabulary(batch, split);
  return batch;
}

void TrainingData::check_vocabulary(const Batch& batch, Split split) const {
  if (config_.vocab <= 0) return;
  for (const std::vector<int64_t>* ids : {&batch.tokens, &batch.labels}) {
    const int64_t most = *std::max_element(ids->begin(), ids->end());
    if (most >= config_.vocab)
      fail("data",
           "the {} data hold token {}; the model's vocabulary is {}: the data were made with another "
           "tokenizer",
           split_name(split), most, config_.vocab);
  }
}

int64_t TrainingData::supervised_tokens(Split split, int64_t consumed) const {
  const Part& from = part(split);
  const int64_t micro_batches =
      split == Split::train ? micro_batches_at(config_.batch, consumed) : config_.batch.micro_batches;
  int64_t total = 0;
  for (int64_t k = 0; k < micro_batches; ++k)
    for (int rank = 0; rank < config_.dp; ++rank)
      for (const int64_t number :
           from.sampler->samples(consumed + k * config_.batch.micro * config_.dp, rank))
        total += from.set->supervised(number);
  return total;
}

}  // namespace mindspeed
