#include "front/features/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mindspeed {

std::span<const Feature> features() {
  static const std::array all{
      feature::bf16(),
      feature::fp16(),
      feature::tensor_parallel(),
      feature::sequence_parallel(),
      feature::pipeline_parallel(),
      feature::data_parallel(),  // takes the ranks that are left
      feature::batch_rampup(),
      feature::distributed_optimizer(),
      feature::recompute(),
      feature::document_boundaries(),
  };
  return all;
}

void apply_features(Plan& plan, const FeatureContext& context) {
  for (const Feature& feature : features()) feature.apply(plan, context);
}

void apply_precision(Plan& plan, const FeatureContext& context) {
  for (const Feature& feature : {feature::bf16(), feature::fp16()}) feature.apply(plan, context);
}

std::string features_text() {
  std::string out = "Features, in the order in which they edit the plan:\n";
  for (const Feature& feature : features()) {
    out += fmt::format("  {:<22} ready    {}\n", feature.name, feature.description);
    for (const std::string_view field : feature.fields) out += fmt::format("  {:<31} --{}\n", "", field);
  }
  out += "\nKnown but refused for now (the reason: mindspeed help FLAG):\n";
  for (const FieldGroup& group : field_groups()) {
    const auto refused = std::count_if(group.fields.begin(), group.fields.end(), [](const Field& field) {
      return field.disposition == Disposition::refused;
    });
    if (refused > 0)
      out += fmt::format("  {:<34} {} of {} flags\n", group.title, refused, group.fields.size());
  }
  return out;
}

}  // namespace mindspeed
