#include "front/data/index/gpt_index.h"

#include <limits>

#include "front/base/error.h"
#include "front/data/index/checked.h"
#include "front/data/numpy_random.h"

namespace mindspeed {
namespace {

struct Storage {
  std::vector<int32_t> documents;
  std::vector<int32_t> samples32;
  std::vector<int64_t> samples64;
  std::vector<uint32_t> shuffle32;
  std::vector<int64_t> shuffle64;
};

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The sequences of the range, `epochs` times in a row, shuffled together; appended to `out`.
void append_shuffled_epochs(const SplitRange& range, int64_t epochs, NumpyRandom& random,
                            std::vector<int32_t>& out) {
  const size_t first = out.size();
  for (int64_t e = 0; e < epochs; ++e)
    for (int64_t s = range.begin; s < range.end; ++s) out.push_back(static_cast<int32_t>(s));
  random.shuffle(out.data() + first, out.size() - first);
}

std::vector<int32_t> build_documents(const GptIndexRequest& request, const GptIndexShape& shape,
                                     NumpyRandom& random) {
  std::vector<int32_t> documents;
  documents.reserve(static_cast<size_t>(checked_mul(shape.epochs, request.range.size(), "document index")));
  if (shape.separate_final_epoch) {
    append_shuffled_epochs(request.range, shape.epochs - 1, random, documents);
    append_shuffled_epochs(request.range, 1, random, documents);
  } else {
    append_shuffled_epochs(request.range, shape.epochs, random, documents);
  }
  return documents;
}

// Walks the documents once; T is wide enough for positions in `documents`.
template <class T>
std::vector<T> build_samples(const GptIndexRequest& request, const GptIndexShape& shape,
                             const std::vector<int32_t>& documents) {
  const int64_t extra = request.extra_token ? 1 : 0;
  const int64_t want = request.sequence_length + extra;
  std::vector<T> samples;
  samples.reserve(static_cast<size_t>(2 * (shape.samples + 1)));
  size_t document = 0;
  int64_t offset = 0;
  const auto mark = [&] {
    samples.push_back(static_cast<T>(document));
    samples.push_back(static_cast<T>(offset));
  };
  mark();
  for (int64_t k = 0; k < shape.samples; ++k) {
    int64_t missing = want;
    while (missing > 0) {
      const int64_t length = request.lengths[static_cast<size_t>(documents[document])];
      const int64_t available = length - offset;
      if (available >= missing) {
        offset += missing - extra;  // the last token is read again as the next sample's first
        missing = 0;
      } else if (document + 1 == documents.size()) {
        offset = length - extra;  // the partial last sample
        break;
      } else {
        missing -= available;
        ++document;
        offset = 0;
      }
    }
    mark();
  }
  return samples;
}

// 0 .. total-1, the parts before and after `border` shuffled apart.
template <class T>
std::vector<T> build_shuffle(int64_t total, int64_t border, NumpyRandom& random) {
  std::vector<T> order(static_cast<size_t>(total));
  std::iota(order.begin(), order.end(), T{0});
  random.shuffle(order.data(), static_cast<size_t>(border));
  random.shuffle(order.data() + border, static_cast<size_t>(total - border));
  return order;
}

}  // namespace

GptIndexShape gpt_index_shape(const GptIndexRequest& request) {
  const int64_t extra = request.extra_token ? 1 : 0;
  const int64_t sequence = request.sequence_length;
  if (sequence < 1) refuse("data", "sequence length {} came; at least 1 is needed", sequence);
  GptIndexShape shape;
  for (int64_t s = request.range.begin; s < request.range.end; ++s)
    shape.tokens_per_epoch += request.lengths[static_cast<size_t>(s)];
  const int64_t tokens = shape.tokens_per_epoch;
  if (tokens <= extra)
    refuse("data",
           "the {} sequences [{}, {}) of this split hold {} tokens; at least {} are needed for one sample of "
           "{}: give the split more weight (--split) or more data",
           request.range.size(), request.range.begin, request.range.end, tokens, sequence + extra, sequence);
  if (request.num_samples) {
    const int64_t needed = checked_add(checked_mul(*request.num_samples, sequence, "tokens of all samples"),
                                       extra, "tokens of all samples");
    shape.epochs = std::max<int64_t>(1, ceil_div(needed, tokens));
  }
  const int64_t total = checked_mul(shape.epochs, tokens, "tokens of all epochs") - extra;
  shape.samples = request.drop_last_partial ? total / sequence : ceil_div(total, sequence);
  if (shape.samples < 1)
    refuse("data", "this split holds {} tokens; one sample needs {}: shorten --seq-length or add data",
           tokens, sequence + extra);
  if (request.num_samples && shape.epochs > 1) {
    const int64_t before = ((shape.epochs - 1) * tokens - extra) / sequence;
    const int64_t in_final = *request.num_samples - before;
    const int64_t per_epoch = (tokens - extra) / sequence;
    shape.separate_final_epoch = in_final < static_cast<int64_t>(0.80 * static_cast<double>(per_epoch));
    if (shape.separate_final_epoch) shape.samples_before_final_epoch = before;
  }
  return shape;
}

GptIndex build_gpt_index(const GptIndexRequest& request) {
  const GptIndexShape shape = gpt_index_shape(request);
  NumpyRandom random(request.seed);
  auto storage = std::make_shared<Storage>();
  GptIndex index;
  storage->documents = build_documents(request, shape, random);
  index.documents = IndexArray(std::span<const int32_t>(storage->documents));
  if (storage->documents.size() <= std::numeric_limits<int32_t>::max()) {
    storage->samples32 = build_samples<int32_t>(request, shape, storage->documents);
    index.samples = IndexArray(std::span<const int32_t>(storage->samples32));
  } else {
    storage->samples64 = build_samples<int64_t>(request, shape, storage->documents);
    index.samples = IndexArray(std::span<const int64_t>(storage->samples64));
  }
  const int64_t border = shape.separate_final_epoch ? shape.samples_before_final_epoch : shape.samples;
  if (shape.samples < int64_t{std::numeric_limits<uint32_t>::max()} - 1) {
    storage->shuffle32 = build_shuffle<uint32_t>(shape.samples, border, random);
    index.shuffle = IndexArray(std::span<const uint32_t>(storage->shuffle32));
  } else {
    storage->shuffle64 = build_shuffle<int64_t>(shape.samples, border, random);
    index.shuffle = IndexArray(std::span<const int64_t>(storage->shuffle64));
  }
  index.storage = std::move(storage);
  return index;
}

}  // namespace mindspeed
