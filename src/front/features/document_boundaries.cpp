// What the end of a document inside a sequence resets: the loss, positions, attention.
#include "front/features/registry.h"

namespace mindspeed::feature {

Feature document_boundaries() {
  return {.name = "document_boundaries",
          .description = "documents packed in one sequence do not see each other",
          .fields = {"eod-mask-loss", "reset-position-ids", "reset-attention-mask"},
          .active =
              [](const Settings& s) {
                return s.flag("eod-mask-loss") || s.flag("reset-position-ids") ||
                       s.flag("reset-attention-mask");
              },
          .apply =
              [](Plan& plan, const FeatureContext& context) {
                plan.data.eod_mask_loss = context.settings.flag("eod-mask-loss");
                plan.data.reset_position_ids = context.settings.flag("reset-position-ids");
                plan.data.reset_attention_mask = context.settings.flag("reset-attention-mask");
              }};
}

}  // namespace mindspeed::feature
