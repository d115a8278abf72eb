#include "front/data/sample.h"

#include <algorithm>
#include <stdexcept>

namespace mindspeed {

int64_t SampleSet::supervised(int64_t index) const {
  const auto length = static_cast<size_t>(sequence_length());
  std::vector<int64_t> tokens(length), labels(length), positions(length);
  std::vector<float> mask(length);
  read(index, {tokens, labels, mask, positions, nullptr});
  return std::count(mask.begin(), mask.end(), 1.0f);
}

void lay_out_sample(std::span<const int64_t> text, const SampleRules& rules, SampleView out) {
  const size_t length = out.tokens.size();
  if (text.size() > length + 1) throw std::logic_error("lay_out_sample: more tokens than the sample holds");
  const auto at = [&](size_t i) { return i < text.size() ? text[i] : int64_t{-1}; };
  const auto is_padding = [&](int64_t id) { return id == -1 || id == rules.pad; };
  const auto is_eod = [&](int64_t id) { return id != -1 && id == rules.eod; };
  if (out.document_starts != nullptr) out.document_starts->assign(1, 0);
  int64_t position = 0;
  for (size_t i = 0; i < length; ++i) {
    const int64_t token = at(i), label = at(i + 1);
    const bool masked = is_padding(label) || (rules.eod_mask_loss && is_eod(token));
    out.tokens[i] = is_padding(token) ? 0 : token;
    out.labels[i] = is_padding(label) ? 0 : label;
    out.loss_mask[i] = masked ? 0.0f : 1.0f;
    out.positions[i] = position++;
    if (!is_eod(token) || i + 1 == length) continue;
    if (rules.reset_position_ids) position = 0;
    if (rules.reset_attention_mask && out.document_starts != nullptr)
      out.document_starts->push_back(static_cast<int32_t>(i + 1));
  }
}

}  // namespace mindspeed
