// Each fault that the doctor knows, made and found.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "front/base/error.h"
#include "front/base/json.h"
#include "front/doctor/checks.h"
#include "front/doctor/request.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/shard_saver.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

// The finding of that name; a made-up bad one if there is none.
Finding of(const Findings& findings, const std::string& what) {
  for (const Finding& f : findings)
    if (f.what == what) return f;
  ADD_FAILURE() << "no finding about " << what << "\n" << findings_text(findings);
  return {Health::bad, what, "", ""};
}

void save(const fs::path& root, int64_t iteration) {
  const std::vector<float> values = {1, 2, 3, 4};
  begin_checkpoint(root, iteration);
  write_shard(staging_folder(root, iteration), 0,
              {{{"model", "w", {4}, whole_region({0}, {4}), DType::f32}, std::as_bytes(std::span(values))}});
  CheckpointState state;
  state.iteration = iteration;
  publish_checkpoint(root, gather_shards(staging_folder(root, iteration), 1, state));
}

fs::path shard(const fs::path& root, int64_t iteration) {
  return iteration_folder(root, iteration) / "rank_00000.safetensors";
}

TEST(Doctor, AHealthyRunSaysWhereItContinues) {
  const fs::path root = test::temporary_dir("healthy");
  save(root, 3);
  save(root, 6);
  const Findings findings = examine_run(root, /*deep=*/true);
  EXPECT_TRUE(healthy(findings)) << findings_text(findings);
  EXPECT_EQ(of(findings, "resume").value, "continues from iter_0000006");
  EXPECT_NE(of(findings, "checkpoint").value.find("iter_0000003: complete, every checksum agrees"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(root / ".claim")) << "the doctor changes nothing";
}

TEST(Doctor, CutMissingAndSilentlyDamagedShardsAreFound) {
  const fs::path root = test::temporary_dir("damaged");
  save(root, 3);
  const std::string whole = read_file(shard(root, 3));
  std::string flipped = whole;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  write_file_atomic(shard(root, 3), flipped);
  EXPECT_TRUE(healthy(examine_run(root, /*deep=*/false))) << "only reading shows it";
  EXPECT_EQ(of(examine_run(root, /*deep=*/true), "checkpoint").health, Health::bad);
  write_file_atomic(shard(root, 3), whole.substr(0, whole.size() - 1));
  EXPECT_EQ(of(examine_run(root, false), "checkpoint").health, Health::bad);
  fs::remove(shard(root, 3));
  const Finding missing = of(examine_run(root, false), "checkpoint");
  EXPECT_EQ(missing.health, Health::bad);
  EXPECT_NE(missing.value.find("rank_00000.safetensors is missing"), std::string::npos) << missing.value;
  EXPECT_FALSE(missing.remedy.empty());
}

TEST(Doctor, LeftoversAWrongPointerAndAnOwnerAreTold) {
  const fs::path root = test::temporary_dir("leftovers");
  save(root, 3);
  fs::create_directory(staging_folder(root, 9));
  write_file_atomic(root / "latest_checkpointed_iteration.txt", "9\n");
  const Findings findings = examine_run(root, false);
  EXPECT_EQ(of(findings, "leftovers").value, "iter_0000009.saving");
  EXPECT_EQ(of(findings, "resume").value, "continues from iter_0000003");
  const FolderClaim claim(root);
  EXPECT_EQ(of(examine_run(root, false), "owner").value, "a run writes here now");
  fs::remove_all(iteration_folder(root, 3));
  EXPECT_EQ(of(examine_run(root, false), "resume").health, Health::bad);  // the pointer names what is gone
  EXPECT_EQ(of(examine_run(root / "none", false), "run").health, Health::bad);
}

TEST(Doctor, WeightsAreComparedWithTheirIndex) {
  const fs::path folder = test::temporary_dir("weights");
  write_file_atomic(folder / "config.json", "{\"model_type\": \"qwen3\"}");
  const float value = 0.0f / 0.0f;
  SafetensorsEntry entry;
  entry.name = "w";
  entry.dtype = DType::f32;
  entry.shape = {1};
  SafetensorsWriter writer(folder / "model-00001-of-00001.safetensors", {entry});
  writer.write("w", std::as_bytes(std::span(&value, 1)));
  writer.finish();
  EXPECT_EQ(of(examine_weights(folder, false), "weights").health, Health::ok);
  EXPECT_EQ(of(examine_weights(folder, true), "weights").value, "w holds values that are not finite");
  EXPECT_EQ(of(examine_weights(folder, false), "config").value, "model_type qwen3");
  EXPECT_EQ(of(examine_weights(folder, false), "tokenizer").health, Health::warn);
  write_file_atomic(
      folder / "model.safetensors.index.json",
      R"({"weight_map": {"w": "model-00001-of-00001.safetensors", "v": "model-00002-of-00002.safetensors"}})");
  const Finding missing = of(examine_weights(folder, false), "weights");
  EXPECT_EQ(missing.health, Health::bad);
  EXPECT_NE(missing.value.find("model-00002-of-00002.safetensors"), std::string::npos) << missing.value;
}

TEST(Doctor, ABusyPortIsFound) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(fd, 1), 0);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  const Finding busy = of(examine_network(ntohs(address.sin_port)), "port");
  EXPECT_EQ(busy.health, Health::bad);
  EXPECT_NE(busy.remedy.find("MASTER_PORT"), std::string::npos);
  // Nobody speaks our language there either: the way out is open, the way back is not known.
  EXPECT_EQ(of(reach_peer("127.0.0.1", ntohs(address.sin_port), 1), "way back").health, Health::bad);
  ::close(fd);
  EXPECT_EQ(of(reach_peer("127.0.0.1", ntohs(address.sin_port), 1), "way out").health, Health::bad);
  EXPECT_EQ(of(reach_peer("no-such-host.invalid", 1, 1), "way out").health, Health::bad);
}

TEST(Doctor, TwoOfThemProbeTheWayInBothDirections) {
  for (int port = 40123; port < 40223; ++port) {
    if (of(examine_network(port), "port").health != Health::ok) continue;
    Findings inside;
    std::thread listener([&] { inside = listen_for_peer(port, 20); });
    Findings outside;
    for (int attempt = 0; attempt < 100; ++attempt) {
      outside = reach_peer("127.0.0.1", port, 20);
      if (healthy(outside)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the thread has yet to listen
    }
    listener.join();
    EXPECT_TRUE(healthy(outside)) << findings_text(outside);
    EXPECT_TRUE(healthy(inside)) << findings_text(inside);
    EXPECT_EQ(of(inside, "way back").health, Health::ok);
    return;
  }
  GTEST_SKIP() << "no free port in a hundred";
}

TEST(Doctor, TheMachineAndItsListsAreDescribed) {
  const Findings machine = examine_machine({{"OMP_NUM_THREADS", "100000"}});
  EXPECT_EQ(of(machine, "threads").health, Health::warn);
  EXPECT_EQ(of(examine_machine({}), "threads").health, Health::ok);
  EXPECT_EQ(of(examine_disk(test::temporary_dir("disk")), "disk").health, Health::ok);
  const Json list = parse_json(findings_json({{Health::bad, "a", "b", "c"}}), "doctor");
  EXPECT_EQ(list[0]["health"], "bad");
  EXPECT_EQ(findings_text({{Health::bad, "a", "b", "c"}}),
            "bad   a              b\n                     -> c\n");
}

TEST(Doctor, ItsArgumentsAreChecked) {
  const DoctorRequest request = doctor_request({"--peer", "host:12", "--run", "a", "--deep"});
  EXPECT_EQ(request.peer, "host");
  EXPECT_EQ(request.peer_port, 12);
  EXPECT_TRUE(request.deep);
  const std::vector<std::vector<std::string>> bad = {{"--peer", "host"},    {"--peer", ":1"}, {"--port", "0"},
                                                     {"--listen", "70000"}, {"--run"},        {"run"}};
  for (const auto& words : bad) EXPECT_THROW(doctor_request(words), Error) << words[0];
}

}  // namespace
}  // namespace mindspeed
