#include "front/data/index/index_cache.h"

#include <array>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/hash.h"
#include "front/base/json.h"
#include "front/base/log.h"
#include "front/formats/npy.h"

namespace mindspeed {
namespace {

struct CachePaths {
  fs::path description, documents, samples, shuffle;
};

CachePaths paths_for(const fs::path& folder, const std::string& description) {
  const auto file = [&, stem = md5_hex(description) + "-GPTDataset-"](const char* name) {
    return folder / (stem + name);
  };
  return {file("description.txt"), file("document_index.npy"), file("sample_index.npy"),
          file("shuffle_index.npy")};
}

// Megatron's unique description of a data set, with what it leaves out: a checksum of the sequence lengths,
// and the two switches that change the indices.
std::string describe(const GptIndexRequest& request, const IndexCacheKey& key) {
  OrderedJson json;
  json["class"] = "GPTDataset";
  json["dataset_path"] = key.dataset_path;
  json["num_samples"] = request.num_samples ? OrderedJson(*request.num_samples) : OrderedJson(nullptr);
  json["index_split"] = split_name(key.split);
  json["random_seed"] = request.seed;
  json["sequence_length"] = request.sequence_length;
  json["split"] = key.split_text;
  json["split_matrix"] = OrderedJson::array();
  for (const auto& part : parse_split(key.split_text))
    json["split_matrix"].push_back(part ? OrderedJson({part->begin, part->end}) : OrderedJson(nullptr));
  json["tokenizer"] = key.tokenizer;
  json["add_extra_token_to_sequence"] = request.extra_token;
  json["drop_last_partial_sequence"] = request.drop_last_partial;
  json["sequences"] = request.lengths.size();
  json["lengths_crc32c"] = crc32c(std::as_bytes(request.lengths));
  return json.dump(4);
}

std::string checksums(const GptIndex& index) {
  return fmt::format(
      "\ndocument_index crc32c {:08x}\nsample_index crc32c {:08x}\nshuffle_index crc32c {:08x}\n",
      crc32c(index.documents.bytes()), crc32c(index.samples.bytes()), crc32c(index.shuffle.bytes()));
}

// The maps behind a cached index.
struct Maps {
  NpyFile documents, samples, shuffle;
};

// Throws Error when a file is missing, malformed, or does not hold what the description says.
GptIndex open_cached(const CachePaths& paths, const std::string& description) {
  const std::string text = read_file(paths.description);
  auto maps =
      std::make_shared<Maps>(Maps{NpyFile(paths.documents), NpyFile(paths.samples), NpyFile(paths.shuffle)});
  GptIndex index;
  index.documents = IndexArray(maps->documents.as<int32_t>());
  index.samples = maps->samples.dtype() == DType::i64 ? IndexArray(maps->samples.as<int64_t>())
                                                      : IndexArray(maps->samples.as<int32_t>());
  index.shuffle = maps->shuffle.dtype() == DType::i64 ? IndexArray(maps->shuffle.as<int64_t>())
                                                      : IndexArray(maps->shuffle.as<uint32_t>());
  if (index.samples.size() != 2 * (index.shuffle.size() + 1) || text != description + checksums(index))
    fail("index cache", "{}: checksum or size differs", paths.description.string());
  index.storage = std::move(maps);
  return index;
}

void write_cache(const CachePaths& paths, const std::string& description, const GptIndex& index) {
  make_folder(paths.description.parent_path());
  const auto count = [](const IndexArray& array) { return static_cast<int64_t>(array.size()); };
  write_npy(paths.documents, DType::i32, std::array{count(index.documents)}, index.documents.bytes());
  write_npy(paths.samples, index.samples.is_wide() ? DType::i64 : DType::i32,
            std::array{count(index.samples) / 2, int64_t{2}}, index.samples.bytes());
  write_npy(paths.shuffle, index.shuffle.is_wide() ? DType::i64 : DType::u32,
            std::array{count(index.shuffle)}, index.shuffle.bytes());
  write_file_atomic(paths.description, description + checksums(index));
}

}  // namespace

GptIndex cached_gpt_index(const GptIndexRequest& request, const IndexCacheKey& key) {
  const std::string description = describe(request, key);
  const CachePaths paths = paths_for(key.folder, description);
  if (fs::exists(paths.description)) {
    try {
      return open_cached(paths, description);
    } catch (const Error& e) {
      log_warning("data: a cached index is damaged and is built again: {}", e.what());
    }
  }
  GptIndex index = build_gpt_index(request);
  try {
    write_cache(paths, description, index);
  } catch (const std::exception& e) {
    log_warning("data: the index cache cannot be written and is kept in memory: {}", e.what());
  }
  return index;
}

}  // namespace mindspeed
