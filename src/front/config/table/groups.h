// One function per group of the field table; groups.cpp puts them in order.
#pragma once

#include "front/config/field.h"

namespace mindspeed {

FieldGroup source_group();
FieldGroup hub_group();
FieldGroup download_group();
FieldGroup architecture_group();
FieldGroup rope_group();
FieldGroup batch_group();
FieldGroup optimizer_group();
FieldGroup optimizer_variant_group();
FieldGroup schedule_group();
FieldGroup checkpoint_group();
FieldGroup checkpoint_load_group();
FieldGroup data_group();
FieldGroup logging_group();
FieldGroup run_group();
FieldGroup parallel_group();
FieldGroup parallel_variant_group();
FieldGroup precision_group();
FieldGroup fusion_group();
FieldGroup recompute_group();
FieldGroup memory_group();
FieldGroup moe_group();
FieldGroup latent_attention_group();
FieldGroup linear_attention_group();
FieldGroup posttrain_group();
FieldGroup tokenizer_group();
FieldGroup generation_group();
FieldGroup training_only_group();
FieldGroup preprocess_group();
FieldGroup convert_group();
FieldGroup evaluate_group();
FieldGroup fsdp_group();

}  // namespace mindspeed
