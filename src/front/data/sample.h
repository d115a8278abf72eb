// One training sample as plain arrays, and the interface of everything that hands out samples by number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mindspeed {

// Where a sample of T tokens is written. Every span holds T elements.
struct SampleView {
  std::span<int64_t> tokens;     // inputs
  std::span<int64_t> labels;     // labels[i] is the token after tokens[i]
  std::span<float> loss_mask;    // 1 = supervised, 0 = padding or masked
  std::span<int64_t> positions;  // position of each token in its document (or in the sample)
  std::vector<int32_t>*
      document_starts;  // ascending, first is 0: tokens attend only within [start, next start)
};

// A numbered set of samples. read() is a pure function of (configuration, index): it may be called in any
// order, from any thread, any number of times, with the same result.
class SampleSet {
 public:
  virtual ~SampleSet() = default;
  virtual int64_t size() const = 0;
  virtual int64_t sequence_length() const = 0;
  // Throws std::logic_error for an index outside [0, size()).
  virtual void read(int64_t index, SampleView out) const = 0;
  // Supervised tokens of a sample: the sum of its loss mask. Sets that know it without reading override this.
  virtual int64_t supervised(int64_t index) const;
};

// How a run of tokens becomes inputs, labels and masks (Megatron's --eod-mask-loss, --reset-position-ids,
// --reset-attention-mask).
struct SampleRules {
  int64_t eod = -1;  // end-of-document token, -1 = none
  int64_t pad = -1;  // a label equal to it is not supervised; the default equals no token
  bool eod_mask_loss = false;
  bool reset_position_ids = false;
  bool reset_attention_mask = false;
};

// Fills `out` (T elements) from `text`: at most T + 1 tokens, missing ones are padding. With T + 1 tokens the
// last one is only a label; with at most T the last label is padding. Padding is masked and becomes token 0.
void lay_out_sample(std::span<const int64_t> text, const SampleRules& rules, SampleView out);

}  // namespace mindspeed
