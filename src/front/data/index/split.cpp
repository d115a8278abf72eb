#include "front/data/index/split.h"

#include <charconv>
#include <cmath>
#include <string>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/data/index/checked.h"

namespace mindspeed {
namespace {

double parse_weight(std::string_view part, std::string_view whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(value) || value < 0)
    refuse("split",
           "--split \"{}\": \"{}\" is no weight; one to three numbers >= 0 are needed, such as 969,30,1",
           whole, part);
  return value;
}

}  // namespace

std::string_view split_name(Split split) {
  constexpr std::array<std::string_view, 3> names{"train", "valid", "test"};
  return names[static_cast<size_t>(split)];
}

SplitMatrix parse_split(std::string_view text) {
  std::string list(text);
  for (char& c : list)
    if (c == '/') c = ',';
  const std::vector<std::string> parts = split(list, ',');
  if (parts.size() > 3)
    refuse("split", "--split \"{}\" has {} parts; at most train,valid,test", text, parts.size());
  std::array<double, 3> weights{};
  for (size_t i = 0; i < parts.size(); ++i) weights[i] = parse_weight(trim(parts[i]), text);
  const double sum = weights[0] + weights[1] + weights[2];
  if (sum <= 0)
    refuse("split", "--split \"{}\" gives weight to no part; at least one number must be > 0", text);
  SplitMatrix matrix;
  double begin = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double end = begin + weights[i] / sum;
    if (weights[i] > 0) matrix[i] = SplitPart{begin, end};
    begin = end;
  }
  return matrix;
}

SplitRange split_range(const SplitPart& part, int64_t count) {
  // nearbyint in the default rounding mode rounds half to even.
  const auto bound = [count](double fraction) {
    return static_cast<int64_t>(std::nearbyint(fraction * static_cast<double>(count)));
  };
  return {bound(part.begin), bound(part.end)};
}

std::array<int64_t, 3> samples_per_split(int64_t train_samples, int64_t steps, int64_t global_batch,
                                         int64_t eval_interval, int64_t eval_iterations) {
  const int64_t evaluations = eval_iterations == 0 ? 0 : (eval_interval > 0 ? steps / eval_interval : 0) + 1;
  return {train_samples,
          checked_mul(checked_mul(evaluations, eval_iterations, "evaluation steps"), global_batch,
                      "validation samples"),
          checked_mul(eval_iterations, global_batch, "test samples")};
}

}  // namespace mindspeed
