#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/base/text.h"
#include "front/convert/open_tokenizer.h"
#include "front/doctor/checks.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/reader.h"
#include "front/formats/safetensors_folder.h"

namespace mindspeed {
namespace {

// What `work` finds, or the Error that it ends with as a bad finding.
Finding guarded(const char* what, const char* remedy, const std::function<Finding()>& work) {
  try {
    return work();
  } catch (const std::exception& e) {
    return {Health::bad, what, e.what(), remedy};
  }
}

void read_all(const CheckpointReader& reader) {
  std::vector<std::byte> bytes;
  for (const CheckpointPiece& piece : reader.metadata().pieces) {
    bytes.resize(static_cast<size_t>(piece.region.elements()) * size_of(piece.dtype));
    reader.read(piece.group, piece.name, piece.region, piece.dtype, bytes);
  }
}

Finding checkpoint_finding(const fs::path& root, int64_t iteration, bool deep) {
  const fs::path folder = iteration_folder(root, iteration);
  return guarded("checkpoint", "move this folder away: the run then resumes from an earlier one", [&] {
    const CheckpointReader reader(folder);
    verify_shards(folder, reader.metadata());
    if (deep) read_all(reader);
    return Finding{Health::ok, "checkpoint",
                   fmt::format("{}: complete, {}", folder.filename().string(),
                               deep ? "every checksum agrees" : "all sizes agree (--deep reads every byte)"),
                   ""};
  });
}

Finding weights_finding(const fs::path& folder, bool deep) {
  const SafetensorsFolder weights(folder);
  uint64_t bytes = 0;
  for (const std::string& name : weights.names()) {
    const SafetensorsPlace place = weights.at(name);
    bytes += place.bytes().size();
    if (deep && first_non_finite(place.bytes(), place.entry->dtype))
      return {Health::bad, "weights", fmt::format("{} holds values that are not finite", name),
              "the file is damaged or training diverged; fetch or export it again"};
  }
  return {Health::ok, "weights",
          fmt::format("{} tensors in {} files, {}{}", weights.names().size(), weights.files().size(),
                      human_bytes(bytes), deep ? ", all values finite" : " (--deep looks at every value)"),
          ""};
}

}  // namespace

Findings examine_run(const fs::path& folder, bool deep) {
  if (!fs::is_directory(folder))
    return {
        {Health::bad, "run", fmt::format("{} is no folder", folder.string()), "name the folder of --save"}};
  Findings out;
  const std::vector<int64_t> complete = complete_checkpoints(folder);
  for (const int64_t iteration : complete) out.push_back(checkpoint_finding(folder, iteration, deep));
  out.push_back(guarded("resume", "move the damaged folder away, or start anew in an empty one", [&] {
    const auto next = checkpoint_to_load(folder);
    if (!next)
      return Finding{Health::warn, "resume", "no complete checkpoint",
                     "a run with --load here starts from the beginning"};
    return Finding{Health::ok, "resume", fmt::format("continues from {}", next->filename().string()), ""};
  }));
  std::vector<std::string> leftovers;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("iter_") && (name.ends_with(".saving") || name.ends_with(".replaced")))
      leftovers.push_back(name);
  }
  const bool held = fs::exists(folder / ".claim") && [&] {
    try {
      const FolderClaim claim(folder);
      return false;
    } catch (const Error&) {
      return true;
    }
  }();
  if (held)
    out.push_back({Health::ok, "owner", "a run writes here now", ""});
  else if (!leftovers.empty())
    out.push_back({Health::warn, "leftovers", join(leftovers, ", "),
                   "of an interrupted save; the next save removes them"});
  return out;
}

Findings examine_weights(const fs::path& folder, bool deep) {
  Findings out;
  out.push_back(guarded("config", "a Hugging Face model folder has one; fetch it again", [&] {
    const Json config = read_json(folder / "config.json");
    return Finding{Health::ok, "config",
                   fmt::format("model_type {}", config.value("model_type", std::string("(none)"))), ""};
  }));
  out.push_back(guarded("weights", "fetch the files that are named again",
                        [&] { return weights_finding(folder, deep); }));
  const bool tokenizer = has_tokenizer(folder);
  out.push_back({tokenizer ? Health::ok : Health::warn, "tokenizer",
                 tokenizer ? "there" : "no tokenizer.json",
                 tokenizer ? "" : "name another folder with --tokenizer-name-or-path"});
  return out;
}

}  // namespace mindspeed
