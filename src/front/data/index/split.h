// Train, validation and test parts of a data set, and how many samples each needs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mindspeed {

enum class Split { train, valid, test };
inline constexpr std::array<Split, 3> kSplits{Split::train, Split::valid, Split::test};
std::string_view split_name(Split split);

// Fractions [begin, end) of the sequences per split; nothing for a split of weight 0.
struct SplitPart {
  double begin = 0;
  double end = 0;
};
using SplitMatrix = std::array<std::optional<SplitPart>, 3>;

// "969,30,1" -> cumulative fractions. One or two numbers are filled up with zeros. Throws Error (exit code 2)
// for anything but one to three numbers >= 0 with a sum > 0.
SplitMatrix parse_split(std::string_view text);

// Sequences [begin, end) of `count` that belong to a part; bounds round half to even, as Python's round().
struct SplitRange {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
};
SplitRange split_range(const SplitPart& part, int64_t count);

// Samples that each split of a run needs (Megatron's get_train_valid_test_num_samples): `train_samples` for
// training, and whole global batches for evaluation. `eval_interval` 0 means that evaluation runs at the end
// only.
std::array<int64_t, 3> samples_per_split(int64_t train_samples, int64_t steps, int64_t global_batch,
                                         int64_t eval_interval, int64_t eval_iterations);

}  // namespace mindspeed
