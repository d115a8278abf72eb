// Models from a hub, by name.
#pragma once

#include <string>

#include "front/hub/access.h"
#include "front/hub/wanted.h"

namespace mindspeed {

// Brings what `parts` needs of a model into the cache and returns its folder there (for a .gguf model, the file).
// Files that the cache has, from any program, are not fetched again. Several processes may ask for the same model:
// each file is fetched once. Offline, or when no server answers (said in a warning), the cache's copy is used if it
// is whole. Throws Error (exit 2) if the model cannot be had or the disk is too small, before anything is fetched.
std::string fetch_model(const HubAccess& access, const HubReference& reference, HubParts parts);

}  // namespace mindspeed
