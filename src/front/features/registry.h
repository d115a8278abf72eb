// The features in the order in which they edit the Plan.
#pragma once

#include <span>
#include <string>

#include "front/plan/feature.h"

namespace mindspeed {

std::span<const Feature> features();

// Applies every feature, in order.
void apply_features(Plan& plan, const FeatureContext& context);

// The features that choose how weights and activations are stored; all that generation needs.
void apply_precision(Plan& plan, const FeatureContext& context);

// One line per feature: name, what it does, its flags; then how many known flags are refused, by group.
std::string features_text();

namespace feature {  // one file each
Feature bf16();
Feature fp16();
Feature tensor_parallel();
Feature sequence_parallel();
Feature pipeline_parallel();
Feature data_parallel();
Feature batch_rampup();
Feature distributed_optimizer();
Feature recompute();
Feature document_boundaries();
}  // namespace feature

}  // namespace mindspeed
