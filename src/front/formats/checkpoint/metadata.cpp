#include "front/formats/checkpoint/metadata.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "front/base/error.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

constexpr std::string_view kFormat = "mindspeed-checkpoint";
constexpr int kVersion = 1;

OrderedJson state_json(const CheckpointState& s) {
  return {{"iteration", s.iteration},
          {"consumed_samples", s.consumed_samples},
          {"consumed_valid_samples", s.consumed_valid_samples},
          {"skipped_steps", s.skipped_steps},
          {"skipped_samples", s.skipped_samples},
          {"optimizer_steps", s.optimizer_steps},
          {"loss_scaler", s.loss_scaler},
          {"seed", s.seed},
          {"schedule", s.schedule},
          {"data", s.data},
          {"layout", s.layout},
          {"machine", s.machine},
          {"config", s.config}};
}

CheckpointState state_from(const Json& j) {
  CheckpointState s;
  j.at("iteration").get_to(s.iteration);
  j.at("consumed_samples").get_to(s.consumed_samples);
  j.at("consumed_valid_samples").get_to(s.consumed_valid_samples);
  j.at("skipped_steps").get_to(s.skipped_steps);
  j.at("optimizer_steps").get_to(s.optimizer_steps);
  s.loss_scaler = j.value("loss_scaler", TextMap{});  // absent in checkpoints of earlier versions
  j.at("seed").get_to(s.seed);
  j.at("schedule").get_to(s.schedule);
  j.at("data").get_to(s.data);
  // Checkpoints of earlier versions come from runs with a constant batch.
  const auto batch = s.data.find("global_batch");
  s.skipped_samples =
      j.value("skipped_samples", s.skipped_steps * (batch == s.data.end() ? 0 : std::stoll(batch->second)));
  j.at("layout").get_to(s.layout);
  j.at("machine").get_to(s.machine);
  j.at("config").get_to(s.config);
  return s;
}

OrderedJson piece_json(const CheckpointPiece& p) {
  return {{"group", p.group},
          {"name", p.name},
          {"start", p.region.start},
          {"size", p.region.size},
          {"begin", p.region.begin},
          {"end", p.region.end},
          {"file", p.file},
          {"key", p.key},
          {"dtype", safetensors_name(p.dtype)},
          {"crc32c", p.crc}};
}

CheckpointPiece piece_from(const Json& j) {
  CheckpointPiece p;
  j.at("group").get_to(p.group);
  j.at("name").get_to(p.name);
  j.at("start").get_to(p.region.start);
  j.at("size").get_to(p.region.size);
  j.at("begin").get_to(p.region.begin);
  j.at("end").get_to(p.region.end);
  j.at("file").get_to(p.file);
  j.at("key").get_to(p.key);
  p.dtype = dtype_from_safetensors(j.at("dtype").get<std::string>());
  j.at("crc32c").get_to(p.crc);
  return p;
}

}  // namespace

std::string metadata_text(const CheckpointMetadata& metadata) {
  OrderedJson j = {{"format", kFormat}, {"version", kVersion}};
  j["state"] = state_json(metadata.state);
  j["shapes"] = metadata.shapes;
  j["files"] = metadata.files;
  j["pieces"] = OrderedJson::array();
  for (const CheckpointPiece& piece : metadata.pieces) j["pieces"].push_back(piece_json(piece));
  return j.dump(1) + "\n";
}

CheckpointMetadata parse_metadata(std::string_view text, std::string_view origin) {
  const Json j = parse_json(text, origin);
  try {
    if (j.value("format", std::string()) != kFormat)
      fail("checkpoint", "{}: not the metadata of a native checkpoint", origin);
    if (j.at("version").get<int>() > kVersion)
      fail("checkpoint", "{}: version {} is newer than this program knows ({}); use a newer mindspeed",
           origin, j.at("version").get<int>(), kVersion);
    CheckpointMetadata metadata;
    metadata.state = state_from(j.at("state"));
    j.at("shapes").get_to(metadata.shapes);
    j.at("files").get_to(metadata.files);
    for (const Json& piece : j.at("pieces")) metadata.pieces.push_back(piece_from(piece));
    return metadata;
  } catch (const Json::exception& e) {
    fail("checkpoint", "{}: {}", origin, e.what());
  }
}

void check_coverage(const CheckpointMetadata& metadata) {
  std::map<std::pair<std::string, std::string>, std::vector<const CheckpointPiece*>> tensors;
  for (const CheckpointPiece& piece : metadata.pieces) tensors[{piece.group, piece.name}].push_back(&piece);
  for (const auto& [id, pieces] : tensors) {
    const auto shape = metadata.shapes.find(id.second);
    if (shape == metadata.shapes.end()) fail("checkpoint", "tensor {} has pieces but no shape", id.second);
    int64_t expected = 1, found = 0, doubled = 0;
    for (int64_t size : shape->second) expected *= size;
    for (size_t i = 0; i < pieces.size(); ++i) {
      found += pieces[i]->region.elements();
      for (size_t k = 0; k < i; ++k) doubled += shared_elements(pieces[i]->region, pieces[k]->region);
    }
    if (found != expected || doubled != 0)
      fail("checkpoint",
           "{} of {} {}: the pieces of all ranks hold {} elements ({} of them twice), the tensor has {}",
           id.first, id.second, format_shape(shape->second), found, doubled, expected);
  }
}

}  // namespace mindspeed
