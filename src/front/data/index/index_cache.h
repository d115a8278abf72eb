// Sample indices on disk, under the names that Megatron gives them: built once, opened by every later run.
#pragma once

#include <filesystem>
#include <string>

#include "front/data/index/gpt_index.h"
#include "front/data/index/split.h"

namespace mindspeed {

// What an index belongs to; with the request it makes up the description whose MD5 names the files.
struct IndexCacheKey {
  std::filesystem::path folder;
  std::string dataset_path;  // prefix of the .bin/.idx pair
  std::string split_text;    // --split
  std::string tokenizer;
  Split split = Split::train;
};

// Opens {folder}/{md5}-GPTDataset-{document_index,sample_index,shuffle_index}.npy by memory map after
// checking shapes and checksums against {md5}-GPTDataset-description.txt; builds and writes them (each
// atomically, the description last) when they are absent or damaged. The description holds a checksum of the
// sequence lengths, so another file under the same name gets other indices. An unwritable folder is a
// warning: the indices stay in memory.
GptIndex cached_gpt_index(const GptIndexRequest& request, const IndexCacheKey& key);

}  // namespace mindspeed
