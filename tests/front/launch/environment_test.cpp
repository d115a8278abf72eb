#include "front/launch/environment.h"

#include <gtest/gtest.h>

#include "front/base/error.h"

namespace mindspeed {
namespace {

void expect_refused(const EnvironmentMap& map, const std::string& needle) {
  try {
    rank_environment(map);
    ADD_FAILURE() << "not refused: " << needle;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), kExitUsage);
    EXPECT_NE(std::string(error.what()).find(needle), std::string::npos) << error.what();
  }
}

TEST(RankEnvironment, IsOneRankWithoutALauncher) {
  const RankEnvironment env =
      rank_environment({{"HOME", "/root"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}});
  EXPECT_EQ(env.launcher, "none");
  EXPECT_EQ(env.world, 1);
}

TEST(RankEnvironment, ReadsTorchrunAndLeavesTheStoreToItsAgent) {
  const RankEnvironment env = rank_environment({{"RANK", "5"},
                                                {"WORLD_SIZE", "8"},
                                                {"LOCAL_RANK", "1"},
                                                {"LOCAL_WORLD_SIZE", "4"},
                                                {"MASTER_ADDR", "10.0.0.1"},
                                                {"MASTER_PORT", "29500"},
                                                {"TORCHELASTIC_RESTART_COUNT", "2"},
                                                {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                                {"GLOO_SOCKET_IFNAME", "eth1"}});
  EXPECT_EQ(env.launcher, "torchrun");
  EXPECT_EQ(env.rank, 5);
  EXPECT_EQ(env.world, 8);
  EXPECT_EQ(env.local_rank, 1);
  EXPECT_EQ(env.local_world, 4);
  EXPECT_EQ(env.master_address, "10.0.0.1");
  EXPECT_EQ(env.master_port, 29500);
  EXPECT_EQ(env.restart, 2);
  EXPECT_TRUE(env.external_store);
  EXPECT_EQ(env.interface, "eth1");
}

TEST(RankEnvironment, ReadsMpirunOnOneHostAndAgreesOnAPort) {
  const EnvironmentMap map{{"OMPI_COMM_WORLD_RANK", "1"},
                           {"OMPI_COMM_WORLD_SIZE", "2"},
                           {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                           {"PMIX_NAMESPACE", "1234567"}};
  const RankEnvironment env = rank_environment(map);
  EXPECT_EQ(env.launcher, "mpirun");
  EXPECT_EQ(env.rank, 1);
  EXPECT_EQ(env.world, 2);
  EXPECT_FALSE(env.external_store);
  EXPECT_GE(env.master_port, 15000);
  EXPECT_LT(env.master_port, 30000);
  EnvironmentMap other = map;
  other["OMPI_COMM_WORLD_RANK"] = other["OMPI_COMM_WORLD_LOCAL_RANK"] = "0";
  EXPECT_EQ(rank_environment(other).master_port, env.master_port);
  other["PMIX_NAMESPACE"] = "7654321";
  EXPECT_NE(rank_environment(other).master_port, env.master_port);
}

TEST(RankEnvironment, RefusesMpirunOverSeveralHostsWithoutAMaster) {
  expect_refused(
      {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}},
      "-x MASTER_ADDR=");
}

TEST(RankEnvironment, ReadsSlurmAndTakesTheFirstHostAsMaster) {
  const RankEnvironment env = rank_environment({{"SLURM_PROCID", "3"},
                                                {"SLURM_NTASKS", "4"},
                                                {"SLURM_LOCALID", "1"},
                                                {"SLURM_JOB_NODELIST", "gpu[03-05,9],login1"},
                                                {"SLURM_JOB_ID", "77"}});
  EXPECT_EQ(env.launcher, "slurm");
  EXPECT_EQ(env.rank, 3);
  EXPECT_EQ(env.local_rank, 1);
  EXPECT_EQ(env.master_address, "gpu03");
}

TEST(RankEnvironment, RankWinsOverMpirunAndSlurm) {
  const RankEnvironment env = rank_environment({{"RANK", "1"},
                                                {"WORLD_SIZE", "2"},
                                                {"MASTER_ADDR", "h"},
                                                {"MASTER_PORT", "1"},
                                                {"OMPI_COMM_WORLD_RANK", "0"},
                                                {"SLURM_PROCID", "0"},
                                                {"SLURM_NTASKS", "9"}});
  EXPECT_EQ(env.launcher, "env");
  EXPECT_EQ(env.rank, 1);
}

TEST(RankEnvironment, TakesTheThreadsOfOpenMp) {
  EXPECT_EQ(rank_environment({}).threads, 0);
  EXPECT_EQ(rank_environment({{"OMP_NUM_THREADS", "3"}}).threads, 3);
  EXPECT_EQ(rank_environment({{"OMP_NUM_THREADS", "4,2"}}).threads, 4);
  EXPECT_THROW(rank_environment({{"OMP_NUM_THREADS", "many"}}), Error);
}

TEST(RankEnvironment, RefusesMissingMalformedAndImpossibleValues) {
  expect_refused({{"RANK", "0"}}, "WORLD_SIZE is not set");
  expect_refused({{"RANK", "0"}, {"WORLD_SIZE", "2x"}}, "WORLD_SIZE='2x'");
  expect_refused({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "1"}}, "MASTER_ADDR is not set");
  expect_refused({{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "h"}, {"MASTER_PORT", "1"}},
                 "rank 2 of 2 ranks");
}

TEST(FirstSlurmHost, ExpandsTheFormsOfNodeLists) {
  EXPECT_EQ(first_slurm_host("node7"), "node7");
  EXPECT_EQ(first_slurm_host("a1,b2"), "a1");
  EXPECT_EQ(first_slurm_host("rack[2,4]-ib,x"), "rack2-ib");
  EXPECT_EQ(first_slurm_host("n[001-128]"), "n001");
}

}  // namespace
}  // namespace mindspeed
