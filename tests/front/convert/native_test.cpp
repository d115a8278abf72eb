// Native checkpoints as a source: whatever layout wrote them, the Hugging Face folder is the same.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "front/base/json.h"
#include "front/convert/convert.h"
#include "front/convert/native/native_source.h"
#include "front/convert/open.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/shard_writer.h"
#include "tests/front/convert/folders.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

fs::path golden(const std::string& name) { return fs::path(test::golden_dir()) / "hf" / name; }

// Saves the weights of a golden model as `tp` ranks would, each its own shards, with moments beside them.
fs::path checkpoint_of(const std::string& name, int tp, const TextMap& settings,
                       const std::string& left_out = "") {
  const fs::path root = test::temporary_dir("native");
  const auto source = test::weights_at(golden(name));
  const std::vector<ParameterSpec> table = parameter_table(test::model_at(golden(name)));
  begin_checkpoint(root, 3);
  for (int rank = 0; rank < tp; ++rank) {
    std::vector<PieceToWrite> pieces;
    for (const ParameterSpec& p : table) {
      if (!p.tied_to.empty() || p.name == left_out || (p.tp_dim < 0 && rank > 0)) continue;
      for (const ShardBox& box : shard_of(p, rank, tp).boxes)
        for (const char* group : {"model", "exp_avg"})
          pieces.push_back(
              {group, p.name, p.shape, whole_region(box.logical.start, box.logical.size), DType::f32});
    }
    ShardWriter writer(staging_folder(root, 3), rank, pieces);
    for (const PieceToWrite& piece : pieces) {
      std::vector<float> values =
          test::read_box(*source, piece.name, {piece.region.start, piece.region.size});
      if (piece.group != "model") values.assign(values.size(), 7.0f);
      writer.write(std::as_bytes(std::span(values)));
    }
    writer.finish();
  }
  CheckpointState state;
  state.iteration = 3;
  state.config = settings;
  publish_checkpoint(root, gather_shards(staging_folder(root, 3), tp, state));
  return root;
}

TEST(Native, CheckpointOfTwoRanksBecomesTheOriginalFolder) {
  for (const std::string name : {"qwen3_untied", "llama_bias", "qwen3_tied"}) {
    ConvertOptions o;
    o.load_dir = checkpoint_of(name, 2, {{"model", golden(name).string()}});
    o.save_dir = test::temporary_dir("from-native");
    convert_model(o);
    for (const char* file : {"model.safetensors", "config.json", "generation_config.json"})
      EXPECT_EQ(read_file(o.save_dir / file), read_file(golden(name) / file)) << name << " " << file;
  }
}

TEST(Native, ModelComesFromTheConfigFolderThenTheRunThenAnError) {
  const fs::path silent = checkpoint_of("qwen3_untied", 1, {{"num-layers", "2"}});
  ConvertOptions o;
  o.load_dir = silent;
  o.save_dir = test::temporary_dir("config-dir");
  EXPECT_HAS(test::error_of([&] { convert_model(o); }), "give one with --hf-cfg-dir");
  o.config_dir = golden("qwen3_untied");
  convert_model(o);
  EXPECT_EQ(read_file(o.save_dir / "model.safetensors"),
            read_file(golden("qwen3_untied") / "model.safetensors"));
  EXPECT_EQ(load_model_config(checkpoint_of("qwen2", 1, {{"preset", "qwen2:debug"}}))["vocab_size"], 256);
}

TEST(Native, MissingTensorsAreNamed) {
  const fs::path root =
      checkpoint_of("qwen2", 1, {{"model", golden("qwen2").string()}}, "layers.1.mlp.down.weight");
  EXPECT_HAS(test::error_of([&] { test::weights_at(root); }), "1 missing: layers.1.mlp.down.weight");
}

}  // namespace
}  // namespace mindspeed
