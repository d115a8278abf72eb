#include "engine/comm/mesh.h"

#include <gtest/gtest.h>

#include "front/base/error.h"
#include "tests/support/ranks.h"

namespace mindspeed::test {
namespace {

TEST(Mesh, PlacesFourRanksInMegatronsOrder) {
  ranks(4).run([](Rank& rank) {
    const Mesh mesh = rank.mesh({.tp = 2, .dp = 1, .pp = 2});
    EXPECT_EQ(mesh.tp_rank, rank.index % 2);
    EXPECT_EQ(mesh.pp_rank, rank.index / 2);
    const std::vector<int> tp[] = {{0, 1}, {0, 1}, {2, 3}, {2, 3}}, pp[] = {{0, 2}, {1, 3}, {0, 2}, {1, 3}};
    EXPECT_EQ(mesh.tp->ranks(), tp[rank.index]);
    EXPECT_EQ(mesh.pp->ranks(), pp[rank.index]);
    EXPECT_EQ(mesh.embedding->ranks(), pp[rank.index]);
    EXPECT_EQ(mesh.model->ranks(), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(mesh.dp->size(), 1);
    EXPECT_EQ(mesh.first_stage(), rank.index < 2);
    EXPECT_EQ(mesh.last_stage(), rank.index >= 2);
  });
}

TEST(Mesh, GroupsOfOneKindWorkSideBySide) {
  ranks(4).run([](Rank& rank) {
    const Mesh mesh = rank.mesh({.tp = 2, .dp = 2});
    at::Tensor tp = at::full({1}, rank.index + 1.0), dp = tp.clone(), world = tp.clone();
    mesh.tp->all_reduce(tp);
    mesh.dp->all_reduce(dp);
    mesh.world->all_reduce(world);
    EXPECT_EQ(tp.item<double>(), rank.index < 2 ? 1 + 2 : 3 + 4);
    EXPECT_EQ(dp.item<double>(), rank.index % 2 == 0 ? 1 + 3 : 2 + 4);
    EXPECT_EQ(world.item<double>(), 10);
  });
}

TEST(Mesh, MiddleStagesHaveNoEmbeddingPartner) {
  ranks(3).run([](Rank& rank) {
    const Mesh mesh = rank.mesh({.pp = 3});
    EXPECT_EQ(mesh.embedding->size(), rank.index == 1 ? 1 : 2);
    at::Tensor x = at::full({1}, rank.index + 1.0);
    mesh.embedding->all_reduce(x);
    EXPECT_EQ(x.item<double>(), rank.index == 1 ? 2 : 4);
  });
}

TEST(Mesh, RefusesDegreesThatDoNotMakeTheNumberOfRanks) {
  try {
    build_mesh({.tp = 2, .dp = 3}, RankEnvironment{});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), kExitUsage);
    EXPECT_NE(std::string(error.what()).find("tp=2 x cp=1 x dp=3 x pp=1 = 6 ranks, but 1 were started"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace mindspeed::test
