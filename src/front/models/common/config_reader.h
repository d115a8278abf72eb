// Reads config.json key by key and remembers which keys were read, so that nothing is dropped in silence.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/json.h"
#include "front/plan/model_spec.h"

namespace mindspeed::models {

class ConfigReader {
 public:
  // `origin` (a path or description) stands in every error. Keeps a reference to `config`.
  ConfigReader(const Json& config, std::string_view origin);

  // Whether the key is there at all, null included.
  bool present(std::string_view key) const;
  // Whether the key is there and not null. Marks it as read.
  bool has(std::string_view key);
  // The value; `fallback` when absent or null. Without a fallback an absent key is refused. A value of
  // another type is refused with the value and what was needed. Counts are 1 to 2^31 - 1.
  int64_t count(std::string_view key);
  int64_t count(std::string_view key, int64_t fallback);
  double number(std::string_view key, double fallback);
  bool flag(std::string_view key, bool fallback);
  std::string text(std::string_view key, std::string_view fallback);
  std::vector<std::string> texts(std::string_view key);  // empty when absent
  const Json& object(std::string_view key);              // must be there
  // Refuses every value but the text of `accepted` and null ("false", "0"): keys that this family does not
  // have.
  void only(std::string_view key, std::string_view accepted, std::string_view reason);

  // Refuses the keys that were never read and are not in `harmless`, all in one error.
  void finish(const std::vector<std::string>& harmless) const;

  // Throws Error: "[config] <origin>: <message>".
  [[noreturn]] void reject(std::string_view message) const;
  const std::string& origin() const { return origin_; }

 private:
  const Json* find(std::string_view key);
  const Json& config_;
  std::string origin_;
  std::set<std::string, std::less<>> read_;
};

// "rope_parameters" (nested, new) or "rope_theta" + "rope_scaling" (old), both spellings of the type key.
// Types default, linear, dynamic, llama3; any other is refused: it would change long contexts only, and go
// unnoticed.
RopeSpec read_rope(ConfigReader& config, int64_t head_dim, int64_t max_position);

// "hidden_act" -> Activation. An unknown name is refused.
Activation read_activation(ConfigReader& config);
// The name that read_activation maps back to the same value.
std::string_view activation_name(Activation activation);

// Which layers attend within a window: "layer_types", or "use_sliding_window" with "max_window_layers"
// (Qwen). One entry per layer: window length in tokens, 0 = full attention.
std::vector<int64_t> read_qwen_windows(ConfigReader& config, int64_t layers);

// Keys that never change what the model computes: token ids, generation defaults, notes of other tools.
const std::vector<std::string>& common_harmless_keys();

}  // namespace mindspeed::models
