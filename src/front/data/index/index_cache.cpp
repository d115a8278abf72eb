#include "front/data/index/index_cache.h"
namespace mindspeed {
GptIndex cached_gpt_index(const GptIndexRequest& request, const IndexCacheKey&) { return build_gpt_index(request); }
}  // namespace mindspeed
