#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <random>
#include <thread>

#include "front/base/error.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/reader.h"
#include "front/formats/checkpoint/shard_writer.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

using Values = std::vector<float>;

std::span<const std::byte> bytes(const Values& values) { return std::as_bytes(std::span(values)); }

// Value of element `index` of tensor `name` at `iteration`, so that any mix-up shows.
float value_at(const std::string& name, int64_t iteration, int64_t index) {
  return static_cast<float>(iteration) * 1000.0f + static_cast<float>(index) + (name == "b" ? 0.5f : 0.0f);
}

// Packed values of a region of a tensor of `shape`.
Values values_of(const std::string& name, int64_t iteration, const std::vector<int64_t>& shape,
                 const Region& region) {
  Values values;
  for (const RegionBox& box : boxes_of(region)) {
    int64_t count = 1;
    for (int64_t size : box.size) count *= size;
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, index = 0, stride = 1;
      for (size_t d = shape.size(); d-- > 0;) {
        index += (box.start[d] + rest % box.size[d]) * stride;
        rest /= box.size[d];
        stride *= shape[d];
      }
      values.push_back(value_at(name, iteration, index));
    }
  }
  return values;
}

// Saves tensors a [rows, 6] and b [5] at `iteration` as one rank would.
void save(const std::string& root, int64_t iteration, int64_t rows = 8) {
  begin_checkpoint(root, iteration);
  const std::vector<int64_t> shape_a = {rows, 6}, shape_b = {5};
  const std::vector<PieceToWrite> pieces = {
      {"model", "a", shape_a, whole_region({0, 0}, shape_a), DType::f32},
      {"model", "b", shape_b, whole_region({0}, shape_b), DType::f32}};
  ShardWriter writer(staging_folder(root, iteration), 0, pieces);
  for (const PieceToWrite& piece : pieces)
    writer.write(bytes(values_of(piece.name, iteration, piece.shape, piece.region)));
  writer.finish();
  CheckpointState state;
  state.iteration = iteration;
  publish_checkpoint(root, gather_shards(staging_folder(root, iteration), 1, state));
}

// The iteration that a resume would find, after reading all of it.
int64_t resume(const std::string& root) {
  const auto folder = checkpoint_to_load(root);
  if (!folder) return -1;
  const CheckpointReader reader(*folder);
  const int64_t iteration = reader.metadata().state.iteration;
  for (const std::string name : {"a", "b"}) {
    const std::vector<int64_t>& shape = reader.metadata().shapes.at(name);
    const Region region = whole_region(std::vector<int64_t>(shape.size(), 0), shape);
    Values values(static_cast<size_t>(region.elements()));
    reader.read("model", name, region, DType::f32, std::as_writable_bytes(std::span(values)));
    EXPECT_EQ(values, values_of(name, iteration, shape, region));
  }
  return iteration;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(CheckpointRegion, EveryRangeOfABoxIsCutIntoBoxesInOrder) {
  const std::vector<int64_t> shape = {4, 5, 6};
  const Region box = whole_region({1, 2, 0}, {3, 2, 5});
  const Values all = values_of("a", 0, shape, box);
  for (int64_t begin = 0; begin <= 30; ++begin)
    for (int64_t end = begin; end <= 30; ++end) {
      Region part = box;
      part.begin = begin;
      part.end = end;
      EXPECT_EQ(values_of("a", 0, shape, part), Values(all.begin() + begin, all.begin() + end));
      EXPECT_LE(boxes_of(part).size(), 5u);
      EXPECT_EQ(shared_elements(part, box), end - begin);
    }
}

TEST(CheckpointReader, ATensorWrittenInOneLayoutIsReadInAnother) {
  const std::string root = test::temporary_dir("layout");
  const std::vector<int64_t> shape = {7, 6};
  begin_checkpoint(root, 1);
  // Rank 0 holds columns 0-2, its share 0-10 and 10-21 in two data-parallel ranges; rank 1 holds columns 3-5.
  const std::vector<std::vector<Region>> ranks = {{{{0, 0}, {7, 3}, 0, 10}, {{0, 0}, {7, 3}, 10, 21}},
                                                  {whole_region({0, 3}, {7, 3})}};
  for (int rank = 0; rank < 2; ++rank) {
    std::vector<PieceToWrite> pieces;
    for (const Region& region : ranks[rank]) pieces.push_back({"exp_avg", "a", shape, region, DType::f32});
    ShardWriter writer(staging_folder(root, 1), rank, pieces);
    for (const Region& region : ranks[rank]) writer.write(bytes(values_of("a", 1, shape, region)));
    writer.finish();
  }
  CheckpointState state;
  state.iteration = 1;
  publish_checkpoint(root, gather_shards(staging_folder(root, 1), 2, state));
  const CheckpointReader reader(*checkpoint_to_load(root));
  const Region rows_cut = {{2, 0}, {4, 6}, 5, 22};  // a share of rows 2-5
  Values values(17);
  reader.read("exp_avg", "a", rows_cut, DType::f32, std::as_writable_bytes(std::span(values)));
  EXPECT_EQ(values, values_of("a", 1, shape, rows_cut));
  std::vector<double> doubles(17);
  reader.read("exp_avg", "a", rows_cut, DType::f64, std::as_writable_bytes(std::span(doubles)));
  EXPECT_EQ(doubles[3], static_cast<double>(values[3]));
}

TEST(CheckpointReader, PiecesThatLeaveAHoleOrOverlapAreRefusedWhenSaved) {
  const std::string root = test::temporary_dir("hole");
  for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{0, 9}, {5, 10}}) {
    begin_checkpoint(root, 1);
    const std::vector<PieceToWrite> pieces = {{"model", "a", {10}, {{0}, {10}, begin, end}, DType::f32},
                                              {"model", "a", {10}, {{0}, {10}, end - begin, 10}, DType::f32}};
    ShardWriter writer(staging_folder(root, 1), 0, pieces);
    for (const PieceToWrite& piece : pieces) writer.write(bytes(Values(piece.region.elements())));
    writer.finish();
    if (begin == 0)
      EXPECT_NO_THROW(gather_shards(staging_folder(root, 1), 1, {}));
    else
      EXPECT_NE(error_of([&] { gather_shards(staging_folder(root, 1), 1, {}); }).find("the tensor has 10"),
                std::string::npos);
  }
}

TEST(CheckpointFolder, AFolderThatCannotBeWrittenIsRefusedAtOnceAndTheProbeLeavesNothing) {
  EXPECT_NE(error_of([] { check_writable("/proc/mindspeed"); }).find("/proc/mindspeed"), std::string::npos);
  const std::string root = test::temporary_dir("writable") + "/a/b";
  EXPECT_NO_THROW(check_writable(root));
  EXPECT_TRUE(fs::is_empty(root));
}

TEST(CheckpointFolder, KeepLastDeletesTheOldestOnly) {
  const std::string root = test::temporary_dir("keep");
  for (int64_t i = 1; i <= 4; ++i) save(root, i);
  prune_checkpoints(root, 0, 4);
  EXPECT_EQ(complete_checkpoints(root).size(), 4u);
  prune_checkpoints(root, 2, 4);
  EXPECT_EQ(complete_checkpoints(root), (std::vector<int64_t>{3, 4}));
  fs::resize_file(iteration_folder(root, 4) / "rank_00000.safetensors", 100);
  EXPECT_THROW(prune_checkpoints(root, 1, 4), Error);  // the newest is damaged: nothing older goes
  EXPECT_EQ(complete_checkpoints(root), (std::vector<int64_t>{3, 4}));
}

TEST(CheckpointFolder, KeepLastNeverDeletesWhatWasJustSaved) {
  const std::string root = test::temporary_dir("keep_saved");
  for (int64_t i = 3; i <= 5; ++i) save(root, i);
  prune_checkpoints(root, 1, 3);  // a run that went back to 3
  EXPECT_EQ(complete_checkpoints(root), (std::vector<int64_t>{3}));
}

TEST(CheckpointFolder, OnlyOneRunAtATimeWritesIntoIt) {
  const std::string root = test::temporary_dir("claim");
  {
    const FolderClaim first(root);
    EXPECT_NE(error_of([&] { FolderClaim second(root); }).find("another run"), std::string::npos);
  }
  EXPECT_NO_THROW(FolderClaim(fs::path(root)));
}

TEST(CheckpointFolder, ThePointerChoosesAndAWrongPointerFallsBackToTheNewest) {
  const std::string root = test::temporary_dir("pointer");
  EXPECT_FALSE(checkpoint_to_load(root).has_value());
  save(root, 3);
  save(root, 5);
  EXPECT_EQ(resume(root), 5);
  write_file_atomic(fs::path(root) / "latest_checkpointed_iteration.txt", "3\n");
  EXPECT_EQ(resume(root), 3);
  write_file_atomic(fs::path(root) / "latest_checkpointed_iteration.txt", "9\n");
  EXPECT_EQ(resume(root), 5);
  save(root, 5);  // replaces
  EXPECT_EQ(resume(root), 5);
  for (const char* folder : {"/iter_0000003", "/iter_0000005"}) fs::remove(root + folder + "/COMPLETE");
  EXPECT_NE(error_of([&] { checkpoint_to_load(root); }).find("no complete checkpoint is here"), std::string::npos);
}

TEST(CheckpointFolder, ATruncatedOrChangedShardIsNamed) {
  const std::string root = test::temporary_dir("damage");
  save(root, 1);
  const fs::path shard = iteration_folder(root, 1) / "rank_00000.safetensors";
  std::string content = read_file(shard);
  content[content.size() - 30] ^= 1;
  write_file_atomic(shard, content);
  const std::string changed = error_of([&] { resume(root); });
  EXPECT_NE(changed.find("checksum"), std::string::npos) << changed;
  EXPECT_NE(changed.find("rank_00000.safetensors: tensor model/"), std::string::npos) << changed;
  fs::resize_file(shard, content.size() - 4);
  const std::string truncated = error_of([&] { resume(root); });
  EXPECT_NE(truncated.find("rank_00000.safetensors has"), std::string::npos) << truncated;
  fs::remove(shard);
  EXPECT_NE(error_of([&] { resume(root); }).find("is missing"), std::string::npos);
  fs::remove(iteration_folder(root, 1) / "COMPLETE");
  EXPECT_NE(error_of([&] { CheckpointReader reader(iteration_folder(root, 1)); }).find("marker"),
            std::string::npos);
}

// The child saves 1, 2, 3 ... and reports each finished save; every third save replaces the previous
// iteration.
[[noreturn]] void saver(const std::string& root, int64_t start, int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    for (int64_t i = start;; ++i) {
      for (int repeat = 0; repeat < (i % 3 == 0 ? 2 : 1); ++repeat) save(root, i, 4000);
      if (::write(report, &i, sizeof i) != sizeof i) ::_exit(2);
      prune_checkpoints(root, 2, i);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "saver: %s\n", e.what());
    ::_exit(1);
  }
}

TEST(CheckpointFolder, KillingTheSaverAt20RandomMomentsNeverLosesTheLastFinishedSave) {
  const std::string root = test::temporary_dir("kill");
  std::mt19937 random(7);
  save(root, 1);
  int64_t finished = 1, interrupted = 0;
  for (int round = 0; round < 20; ++round) {
    int channel[2];
    ASSERT_EQ(::pipe(channel), 0);
    const pid_t child = ::fork();
    if (child == 0) saver(root, finished + 1, channel[1]);
    ::close(channel[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(2000 + random() % 250000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    int64_t reported = 0;
    while (::read(channel[0], &reported, sizeof reported) == sizeof reported) finished = reported;
    ::close(channel[0]);
    for (const fs::directory_entry& entry : fs::directory_iterator(root))
      if (entry.path().extension() == ".saving") interrupted += 1;
    const int64_t found = resume(root);
    EXPECT_GE(found, finished) << "round " << round;
    EXPECT_LE(found, finished + 1);
    finished = std::max(finished, found);
  }
  EXPECT_GT(finished, 3);
  EXPECT_GT(interrupted, 3) << "too few kills hit a save; the test proves nothing";
  save(root, finished + 1);
  for (const fs::directory_entry& entry : fs::directory_iterator(root))
    EXPECT_FALSE(entry.path().string().ends_with(".saving") || entry.path().string().ends_with(".replaced"));
}

TEST(CheckpointFolder, AFullDiskIsAClearErrorAndTheEarlierSaveStaysWhole) {
  const std::string root = test::temporary_dir("full");
  // A file-size limit in a child stands for the disk; where mounting is allowed, a real file system of 1 MiB.
  const bool mounted = ::mount("none", root.c_str(), "tmpfs", 0, "size=1m") == 0;
  save(root, 1);
  const pid_t child = ::fork();
  if (child == 0) {
    if (!mounted) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{1 << 20, 1 << 20};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    const std::string message = error_of([&] { save(root, 2, 100000); });
    const bool clear = message.find(mounted ? "disk is full" : "File too large") != std::string::npos &&
                       message.find("rank_00000.safetensors") != std::string::npos;
    if (!clear) std::fprintf(stderr, "message was: %s\n", message.c_str());
    abandon_checkpoint(root, 2);
    ::_exit(clear ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(resume(root), 1);
  EXPECT_FALSE(fs::exists(staging_folder(root, 2)));
  if (mounted) ::umount(root.c_str());
}

}  // namespace
}  // namespace mindspeed
