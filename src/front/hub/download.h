// One file from a hub into the cache: resumed where it stopped, checked before it is used.
#pragma once

#include <cstdint>
#include <functional>

#include "front/hub/cache.h"
#include "front/hub/hub.h"

namespace mindspeed {

// Fetches the content of `file` unless the cache has it. A connection that breaks is taken up again where it
// stopped, also by a later process; `received` hears of each piece of new bytes. Size and hash are compared
// before the content gets its name; one with a wrong hash is thrown away and fetched once more from the start.
// Throws Error if the hash is wrong again, the hub refuses or stays away, or the disk is full (what came is kept).
void download(HttpClient& client, const HubAccess& access, const HubCache& cache, const RemoteFile& file,
              const std::function<void(uint64_t)>& received);

}  // namespace mindspeed
