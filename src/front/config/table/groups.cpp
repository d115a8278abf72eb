#include "front/config/table/groups.h"

#include <array>

namespace mindspeed {

std::span<const FieldGroup> field_groups() {
  static const std::array groups{
      source_group(),
      hub_group(),
      download_group(),
      architecture_group(),
      batch_group(),
      optimizer_group(),
      schedule_group(),
      data_group(),
      tokenizer_group(),
      checkpoint_group(),
      checkpoint_load_group(),
      logging_group(),
      run_group(),
      parallel_group(),
      precision_group(),
      recompute_group(),
      generation_group(),
      preprocess_group(),
      convert_group(),
      evaluate_group(),
      training_only_group(),
      fusion_group(),
      parallel_variant_group(),
      optimizer_variant_group(),
      memory_group(),
      rope_group(),
      moe_group(),
      posttrain_group(),
      latent_attention_group(),
      linear_attention_group(),
      fsdp_group(),
  };
  return groups;
}

}  // namespace mindspeed
