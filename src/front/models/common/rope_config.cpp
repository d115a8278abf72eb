// The rope block of config.json in its old and new spelling.
#include <cmath>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/models/common/config_reader.h"

namespace mindspeed::models {
namespace {

constexpr double kDefaultTheta = 10000.0;  // of all families here, in transformers 5.24

RopeScaling scaling_type(ConfigReader& block) {
  const std::string modern = block.text("rope_type", "");
  const std::string old = block.text("type", "");
  if (!modern.empty() && !old.empty() && modern != old)
    block.reject(fmt::format("\"rope_type\" is \"{}\" but \"type\" is \"{}\"; keep one", modern, old));
  const std::string name = modern.empty() ? old : modern;
  if (name == "default") return RopeScaling::none;
  if (name == "linear") return RopeScaling::linear;
  if (name == "dynamic") return RopeScaling::dynamic;
  if (name == "llama3") return RopeScaling::llama3;
  if (name == "yarn" || name == "longrope" || name == "su")
    block.reject(
        fmt::format("rope type \"{}\" is not available yet; known: default, linear, dynamic, llama3. Without "
                    "it the model is right only up to its original length: set the type to \"default\" to "
                    "train within that",
                    name));
  block.reject(fmt::format("rope type \"{}\" is unknown; known: default, linear, dynamic, llama3", name));
}

double needed(ConfigReader& block, std::string_view key) {
  if (!block.has(key)) block.reject(fmt::format("\"{}\" is missing for this rope type", key));
  const double value = block.number(key, 0);
  if (!(value > 0) || !std::isfinite(value))
    block.reject(fmt::format("\"{}\" is {}; needed: a number > 0", key, value));
  return value;
}

void read_scaling(ConfigReader& block, RopeSpec& rope, int64_t max_position) {
  rope.scaling = scaling_type(block);
  if (rope.scaling == RopeScaling::none) return;
  rope.factor = needed(block, "factor");
  if (rope.scaling == RopeScaling::dynamic) {
    rope.original_max_position = max_position;
    if (block.count("original_max_position_embeddings", max_position) != max_position)
      block.reject(
          fmt::format("\"original_max_position_embeddings\" differs from max_position_embeddings {}; the "
                      "dynamic rope type reads the latter",
                      max_position));
  }
  if (rope.scaling != RopeScaling::llama3) return;
  rope.low_freq_factor = needed(block, "low_freq_factor");
  rope.high_freq_factor = needed(block, "high_freq_factor");
  rope.original_max_position = block.count("original_max_position_embeddings");
  if (!(rope.high_freq_factor > rope.low_freq_factor))
    block.reject(fmt::format("high_freq_factor {} must be above low_freq_factor {}", rope.high_freq_factor,
                             rope.low_freq_factor));
}

}  // namespace

RopeSpec read_rope(ConfigReader& config, int64_t head_dim, int64_t max_position) {
  RopeSpec rope;
  rope.dim = head_dim;
  const bool modern = config.has("rope_parameters");
  const bool old = config.has("rope_scaling");
  if (modern && old && config.object("rope_parameters") != config.object("rope_scaling"))
    config.reject("\"rope_parameters\" and \"rope_scaling\" are both set and differ; keep one");
  rope.theta = config.number("rope_theta", kDefaultTheta);
  if (modern || old) {
    const std::string_view key = modern ? "rope_parameters" : "rope_scaling";
    ConfigReader block(config.object(key), fmt::format("{}: {}", config.origin(), key));
    if (block.has("rope_theta")) {
      const double nested = block.number("rope_theta", kDefaultTheta);
      if (config.has("rope_theta") && nested != rope.theta)
        config.reject(
            fmt::format("rope_theta is {} at the top and {} in {}; keep one", rope.theta, nested, key));
      rope.theta = nested;
    }
    block.only("partial_rotary_factor", "1.0", "this family rotates whole heads: 1.0");
    read_scaling(block, rope, max_position);
    block.finish({});
  }
  config.only("partial_rotary_factor", "1.0", "this family rotates whole heads: 1.0");
  config.only("rope_interleaved", "false",
              "Hugging Face weights of this family pair channel i with i + head_dim / 2");
  if (!(rope.theta > 0) || !std::isfinite(rope.theta))
    config.reject(fmt::format("rope_theta is {}; needed: > 0", rope.theta));
  return rope;
}

}  // namespace mindspeed::models
