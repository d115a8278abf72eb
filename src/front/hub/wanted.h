// Which files of a repository a job needs, and whether a folder has them.
#pragma once

#include <string>
#include <vector>

#include "front/hub/hub.h"

namespace mindspeed {

enum class HubParts {
  tokenizer,   // tokenizer and config
  everything,  // and the weights
};

// The safetensors weights (one set of them), config, tokenizer and templates at the top of the repository; or the
// one .gguf file that reference.variant names or that is the only one. Throws Error (exit 2) if the weights are
// in no format that is read here, or if several .gguf files could be meant.
std::vector<RemoteFile> wanted_files(const std::vector<RemoteFile>& files, const HubReference& reference,
                                     HubParts parts);

// The name of a wanted file that a snapshot lacks (a cache may hold parts); empty if it has all.
std::string missing_file(const fs::path& snapshot, const HubReference& reference, HubParts parts);

}  // namespace mindspeed
