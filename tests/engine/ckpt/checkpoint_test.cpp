#include "engine/ckpt/checkpoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "engine/ckpt/saver.h"
#include "front/base/error.h"
#include "tests/support/proof.h"
#include "tests/support/thread_group.h"

namespace mindspeed {
namespace {

ParameterSpec spec(std::string name, std::vector<int64_t> shape, int tp_dim,
                   std::vector<Segment> segments = {}) {
  ParameterSpec s;
  s.name = std::move(name);
  s.shape = std::move(shape);
  s.tp_dim = tp_dim;
  s.segments = std::move(segments);
  return s;
}

// A vocabulary with padding, fused projections (one segment per half), a column cut and a replicated norm.
std::vector<ParameterSpec> table() {
  std::vector<ParameterSpec> t = {
      spec("embedding.weight", {10, 6}, 0),
      spec("layers.0.mlp.gate_up.weight", {8, 6}, 0, {{"gate", 0, 4}, {"up", 4, 4}}),
      spec("layers.0.mlp.down.weight", {6, 4}, 1), spec("head.norm.weight", {6}, -1),
      spec("head.weight", {10, 6}, 0)};
  t[0].vocab_rows = t[4].vocab_rows = true;
  t[4].tied_to = "embedding.weight";
  return t;
}

// Logical values: 1000 * table position + element number.
at::Tensor logical(size_t index, const ParameterSpec& s) {
  return (at::arange(s.elements(), at::kFloat) + 1000.0 * static_cast<double>(index)).view(s.shape);
}

// One rank's parameters and one optimizer state over its share of the flat concatenation of them.
struct Rank {
  std::vector<std::unique_ptr<Parameter>> parameters;
  std::vector<at::Tensor> moments;  // one per parameter: this rank's range
  std::vector<int64_t> offsets;
  std::vector<StatePiece> pieces;
};

at::Tensor local_values(const Parameter& p, size_t index, double scale) {
  const at::Tensor whole_tensor = logical(index, p.spec) * scale;
  at::Tensor local = at::full(p.shard.shape, -1.0, at::kFloat);
  for (const ShardBox& box : p.shard.boxes) {
    at::Tensor from = whole_tensor, to = local;
    for (size_t d = 0; d < p.spec.shape.size(); ++d) {
      const auto dim = static_cast<int64_t>(d);
      from = from.narrow(dim, box.logical.start[d], box.logical.size[d]);
      to = to.narrow(dim, box.local_start[d], box.logical.size[d]);
    }
    to.copy_(from);
  }
  return local;
}

Rank make_rank(const Mesh& mesh, at::ScalarType dtype, bool filled) {
  Rank rank;
  const std::vector<ParameterSpec> specs = table();
  for (size_t i = 0; i < specs.size(); ++i) {
    auto p = std::make_unique<Parameter>();
    p->spec = specs[i];
    p->shard = shard_of(specs[i], mesh.tp_rank, mesh.degrees.tp, 12);
    p->tied_copy = !specs[i].tied_to.empty();
    const size_t source = p->tied_copy ? 0 : i;
    const at::Tensor values = local_values(*p, source, 1.0), moments = local_values(*p, source, 0.5);
    p->value = filled ? values.to(dtype) : at::zeros(values.sizes(), dtype);
    // Data-parallel rank d owns the d-th part of every local tensor, cut at an odd place.
    const int64_t n = values.numel(), dp = mesh.degrees.dp;
    const int64_t begin = n * mesh.dp_rank / dp, end = n * (mesh.dp_rank + 1) / dp;
    at::Tensor owned = moments.view(-1).narrow(0, begin, end - begin);
    rank.moments.push_back(filled ? owned.clone() : at::zeros_like(owned));
    rank.offsets.push_back(begin);
    rank.parameters.push_back(std::move(p));
  }
  std::vector<Parameter*> all;
  for (auto& p : rank.parameters) all.push_back(p.get());
  rank.pieces = model_pieces(all, mesh);
  for (size_t i = 0; i < all.size(); ++i)
    add_pieces(rank.pieces, "exp_avg", *all[i], rank.offsets[i], rank.moments[i], speaks_for(*all[i], mesh));
  return rank;
}

CheckpointState state_at(int64_t iteration) {
  CheckpointState state;
  state.iteration = iteration;
  state.schedule = {{"lr", "0.001"}};
  return state;
}

void save(const std::string& root, CheckpointState state, const Rank& rank, const Mesh& mesh,
          bool background = false) {
  CheckpointSaver saver(root, mesh, 0, background);
  saver.start(std::move(state), rank.pieces);
  saver.finish();
}

void save_in_layout(const std::string& root, int tp, int dp) {
  test::run_ranks(tp, dp, [&](const Mesh& mesh) {
    const Rank rank = make_rank(mesh, at::kFloat, true);
    save(root, state_at(7), rank, mesh);
  });
}

// True if every rank of the layout gets exactly the values it would have been given.
bool loads_in_layout(const std::string& root, int tp, int dp, at::ScalarType dtype) {
  std::atomic<bool> equal = true;
  test::run_ranks(tp, dp, [&](const Mesh& mesh) {
    const CheckpointReader reader(*checkpoint_to_load(root));
    check_same_model(reader, table());
    Rank wanted = make_rank(mesh, dtype, true), loaded = make_rank(mesh, dtype, false);
    load_pieces(reader, loaded.pieces);
    for (size_t k = 0; k < wanted.pieces.size(); ++k)
      if (!at::equal(wanted.pieces[k].data, loaded.pieces[k].data)) equal = false;
  });
  return equal;
}

TEST(Checkpoint, EveryLayoutLoadsWhatEveryLayoutSaved) {
  const std::vector<std::pair<int, int>> layouts = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {1, 3}};
  for (const auto& [tp, dp] : layouts) {
    const std::string root = test::temporary_dir("layouts");
    save_in_layout(root, tp, dp);
    for (const auto& [tp2, dp2] : layouts)
      EXPECT_TRUE(test::prove("any", fmt::format("checkpoint.tp{}dp{}_to_tp{}dp{}", tp, dp, tp2, dp2),
                              loads_in_layout(root, tp2, dp2, at::kFloat)));
    EXPECT_TRUE(loads_in_layout(root, 2, 1, at::kBFloat16));
  }
}

TEST(Checkpoint, TiedCopiesAndReplicasAreSavedOnce) {
  const std::string root = test::temporary_dir("once");
  save_in_layout(root, 2, 2);
  const CheckpointReader reader(*checkpoint_to_load(root));
  int64_t model_elements = 0;
  for (const CheckpointPiece& piece : reader.metadata().pieces) {
    EXPECT_NE(piece.name, "head.weight");
    if (piece.group == "model") model_elements += piece.region.elements();
  }
  EXPECT_EQ(model_elements, 60 + 48 + 24 + 6);
  EXPECT_EQ(reader.metadata().state.iteration, 7);
  EXPECT_EQ(reader.metadata().state.schedule.at("lr"), "0.001");
}

TEST(Checkpoint, AnotherModelIsRefusedNamingEveryDifference) {
  const std::string root = test::temporary_dir("other");
  save_in_layout(root, 1, 1);
  std::vector<ParameterSpec> other = table();
  other[3].shape = {5};
  other[1].name = "layers.0.mlp.up.weight";
  const CheckpointReader reader(*checkpoint_to_load(root));
  try {
    check_same_model(reader, other);
    FAIL();
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_NE(message.find("3 differences"), std::string::npos) << message;
    EXPECT_NE(message.find("head.norm.weight is [6] in the checkpoint and [5] in this model"),
              std::string::npos);
    EXPECT_NE(message.find("layers.0.mlp.up.weight [8, 6] is not in the checkpoint"), std::string::npos);
    EXPECT_NE(message.find("layers.0.mlp.gate_up.weight [8, 6] is in the checkpoint but not"),
              std::string::npos);
  }
}

void expect_failure_leaves_the_earlier_save(bool background) {
  const std::string root = test::temporary_dir("fails");
  save_in_layout(root, 2, 1);
  std::atomic<int> failed = 0;
  test::run_ranks(2, 1, [&](const Mesh& mesh) {
    Rank rank = make_rank(mesh, at::kFloat, true);
    if (mesh.rank == 1) rank.parameters[2]->value.view(-1)[3] = std::numeric_limits<float>::quiet_NaN();
    try {
      save(root, state_at(8), rank, mesh, background);
    } catch (const Error&) {
      failed += 1;
    }
  });
  EXPECT_EQ(failed, 2);
  EXPECT_EQ(complete_checkpoints(root), std::vector<int64_t>{7});
  EXPECT_TRUE(loads_in_layout(root, 1, 1, at::kFloat));
}

TEST(Checkpoint, AFailureOnOneRankFailsAllAndLeavesTheEarlierSave) {
  expect_failure_leaves_the_earlier_save(/*background=*/false);
}

TEST(Checkpoint, AFailureInTheBackgroundToo) { expect_failure_leaves_the_earlier_save(/*background=*/true); }

TEST(Checkpoint, TheBackgroundSavesWhatWasThereAtTheStart) {
  const std::string root = test::temporary_dir("background");
  test::run_ranks(2, 2, [&](const Mesh& mesh) {
    Rank rank = make_rank(mesh, at::kFloat, true);
    CheckpointSaver saver(root, mesh, 0, /*background=*/true);
    for (int64_t iteration : {5, 7}) {  // the second start ends the first save
      saver.start(state_at(iteration), rank.pieces);
      EXPECT_TRUE(saver.under_way());
    }
    saver.before_update();
    for (StatePiece& piece : rank.pieces) piece.data.fill_(-1.0);
    while (!saver.advance()) std::this_thread::yield();
    EXPECT_FALSE(saver.under_way());
  });
  EXPECT_EQ(complete_checkpoints(root), (std::vector<int64_t>{5, 7}));
  EXPECT_TRUE(test::prove("any", "checkpoint.background", loads_in_layout(root, 1, 1, at::kFloat)));
}

TEST(Checkpoint, StateThatWasNotSavedIsAClearError) {
  const std::string root = test::temporary_dir("weights_only");
  test::run_ranks(1, 1, [&](const Mesh& mesh) {
    Rank rank = make_rank(mesh, at::kFloat, true);
    std::erase_if(rank.pieces, [](const StatePiece& piece) { return piece.group != "model"; });
    save(root, state_at(1), rank, mesh);
  });
  const CheckpointReader reader(*checkpoint_to_load(root));
  Rank rank = make_rank(single_mesh(), at::kFloat, false);
  try {
    load_pieces(reader, rank.pieces);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("--no-load-optim"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace mindspeed
