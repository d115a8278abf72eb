#include "engine/train/pretrain.h"

#include <algorithm>

#include "front/base/error.h"
#include "front/convert/open_tokenizer.h"

namespace mindspeed {
namespace {

// The tokenizer knows the end-of-document token, and its fingerprint tells whether the data are its own.
TrainingDataConfig data_config(const Plan& plan) {
  TrainingDataConfig config = training_data_config(plan);
  if (plan.data.mock || plan.data.tokenizer.empty()) return config;
  const Tokenizer tokenizer = open_tokenizer(plan.data.tokenizer);
  if (config.data.eod < 0 && tokenizer.eos()) config.data.eod = *tokenizer.eos();
  config.tokenizer_fingerprint = tokenizer.fingerprint();
  return config;
}

template <class T>
at::Tensor matrix(const std::vector<T>& values, int64_t rows, int64_t columns, at::ScalarType dtype) {
  return at::from_blob(const_cast<T*>(values.data()), {rows, columns}, dtype).clone();
}

// [B, T] first key that each query may see, or undefined when every row is one document.
at::Tensor document_starts(const Batch& batch) {
  const bool cut = std::any_of(batch.document_starts.begin(), batch.document_starts.end(),
                               [](const std::vector<int32_t>& row) { return row.size() > 1; });
  if (!cut) return {};
  at::Tensor starts = at::zeros({batch.micro, batch.sequence}, at::kLong);
  auto view = starts.accessor<int64_t, 2>();
  for (int64_t b = 0; b < batch.micro; ++b) {
    const std::vector<int32_t>& row = batch.document_starts[static_cast<size_t>(b)];
    for (size_t d = 0; d < row.size(); ++d) {
      const int64_t end = d + 1 < row.size() ? row[d + 1] : batch.sequence;
      for (int64_t t = row[d]; t < end; ++t) view[b][t] = row[d];
    }
  }
  return starts;
}

}  // namespace

StepContext step_context(const Batch& batch, int64_t supervised_tokens, int64_t first_sample, uint64_t seed,
                         bool training) {
  StepContext context;
  context.tokens = matrix(batch.tokens, batch.micro, batch.sequence, at::kLong);
  context.labels = matrix(batch.labels, batch.micro, batch.sequence, at::kLong);
  context.positions = matrix(batch.positions, batch.micro, batch.sequence, at::kLong);
  context.row_weights = matrix(batch.loss_mask, batch.micro, batch.sequence, at::kFloat);
  context.row_weights.div_(static_cast<double>(supervised_tokens));
  context.doc_starts = document_starts(batch);
  context.sample_ids = at::arange(first_sample, first_sample + batch.micro, at::kLong);
  context.head = HeadMode::loss;
  context.training = training;
  context.seed = seed;
  return context;
}

PretrainObjective::PretrainObjective(const Plan& plan, const Mesh& mesh)
    : data_(data_config(plan)),
      micro_(plan.batch.micro),
      dp_(plan.mesh.dp),
      dp_rank_(mesh.dp_rank),
      seed_(plan.run.seed) {}

void PretrainObjective::begin(Split split, int64_t consumed) {
  split_ = split;
  consumed_ = consumed;
  squares_ = rows_ = 0.0;
  supervised_ = data_.supervised_tokens(split, consumed);
  if (supervised_ == 0)
    fail("data", "no token is supervised in the {} samples after {}; check --eod-mask-loss and the data",
         split_name(split), consumed);
}

StepContext PretrainObjective::micro_batch(int64_t k) {
  const Batch batch = data_.micro_batch(split_, consumed_, k, dp_rank_);
  for (const std::vector<int32_t>& row : batch.document_starts) {
    for (size_t d = 0; d < row.size(); ++d) {
      const double length = static_cast<double>((d + 1 < row.size() ? row[d + 1] : batch.sequence) - row[d]);
      squares_ += length * length / static_cast<double>(batch.sequence * batch.sequence);
    }
    rows_ += 1.0;
  }
  const int64_t first = consumed_ + (k * dp_ + dp_rank_) * micro_;
  return step_context(batch, supervised_, first, seed_, split_ == Split::train);
}

double PretrainObjective::attended() const { return rows_ > 0 ? 0.5 * squares_ / rows_ : 0.5; }

}  // namespace mindspeed
