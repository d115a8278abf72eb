// What a checkpoint says about the run that wrote it, as text: made from the plan, read back, compared.
#pragma once

#include <string>

#include "engine/optim/loss_scaler.h"
#include "front/formats/checkpoint/metadata.h"
#include "front/plan/plan.h"

namespace mindspeed {

TextMap schedule_record(const LrPlan& plan);
LrPlan schedule_from_record(const TextMap& record);
TextMap data_record(const Plan& plan);
TextMap layout_record(const Plan& plan);
TextMap machine_record();
TextMap loss_scaler_record(const LossScaler& scaler);  // empty unless dynamic
LossScale loss_scale_from_record(const TextMap& record);

// "a: 1 -> 2, b: x -> y" for the keys whose values differ.
std::string differences(const TextMap& saved, const TextMap& now);
// The same for resolved settings, of those that may change what is trained.
std::string changed_settings(const TextMap& saved, const TextMap& now);

}  // namespace mindspeed
