// metadata.json of a native checkpoint: the state of the run and the list of pieces. See
// docs/checkpoint_format.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "front/base/dtype.h"
#include "front/base/json.h"
#include "front/formats/checkpoint/region.h"

namespace mindspeed {

using TextMap = std::map<std::string, std::string>;

// Where a run stands. Everything that the next step depends on beside the tensors.
struct CheckpointState {
  int64_t iteration = 0;         // completed steps
  int64_t consumed_samples = 0;  // position in the training data
  int64_t consumed_valid_samples = 0;
  int64_t skipped_steps = 0;
  int64_t skipped_samples = 0;  // of these steps
  int64_t optimizer_steps = 0;  // t of the bias correction
  TextMap loss_scaler;          // of a dynamic loss scale, else empty
  uint64_t seed = 0;            // all randomness is a function of (seed, counters)
  TextMap schedule;             // learning-rate horizon and rates; a change of these needs an explicit choice
  TextMap data;                 // what the position refers to
  TextMap layout;               // degrees of parallelism that wrote it
  TextMap machine;              // ISA, threads, kernel choices: equal ones continue bit-identically
  TextMap config;               // every resolved setting
};

struct CheckpointPiece {
  std::string group;  // "model", "master", "exp_avg", ...
  std::string name;   // logical tensor
  Region region;
  std::string file;  // rank_00000.safetensors
  std::string key;   // tensor in that file
  DType dtype = DType::f32;
  uint32_t crc = 0;  // CRC-32C of its bytes
};

struct CheckpointMetadata {
  CheckpointState state;
  std::map<std::string, std::vector<int64_t>> shapes;  // of every logical tensor
  std::map<std::string, uint64_t> files;               // bytes of every shard file
  std::vector<CheckpointPiece> pieces;
};

std::string metadata_text(const CheckpointMetadata& metadata);
// Throws Error naming `origin` for another format, a newer version or a missing key.
CheckpointMetadata parse_metadata(std::string_view text, std::string_view origin);

// Every element of every (group, tensor) is in exactly one piece. Throws Error naming the first tensor where
// not.
void check_coverage(const CheckpointMetadata& metadata);

}  // namespace mindspeed
