// Conformance of every collective at 2, 3 and 4 ranks, against sums worked out by hand.
#include "engine/comm/collectives.h"

#include <gtest/gtest.h>

#include "tests/support/ranks.h"

namespace mindspeed::test {
namespace {

// [n] with element i = rank + 10 i.
at::Tensor ramp(int rank, int64_t n, at::ScalarType dtype) {
  return (at::arange(n, at::kDouble) * 10 + rank).to(dtype);
}

Mesh row(Rank& rank) { return rank.mesh({.tp = rank.world}); }

class Collectives : public testing::TestWithParam<int> {
 protected:
  RankPool& pool() { return ranks(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Ranks, Collectives, testing::Values(2, 3, 4));

TEST_P(Collectives, AllReduceSumsMaximisesAndMinimisesEveryType) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    const int n = rank.world;
    for (const auto dtype : {at::kFloat, at::kDouble, at::kInt, at::kLong, at::kBFloat16, at::kHalf})
      for (const int64_t size : {1, 7, 1025}) {
        const at::Tensor steps =
            at::arange(size, at::kDouble) * 10;  // exact in fp32; rounded once in half types
        at::Tensor sum = ramp(rank.index, size, dtype), top = sum.clone(), low = sum.clone();
        at::Tensor expected = at::zeros({size}, at::kDouble);
        for (int r = 0; r < n; ++r) expected += ramp(r, size, dtype).to(at::kDouble);
        mesh.tp->all_reduce(sum);
        mesh.tp->all_reduce(top, ReduceOp::max);
        mesh.tp->all_reduce(low, ReduceOp::min);
        EXPECT_TRUE(at::equal(sum, expected.to(dtype))) << dtype << " " << size;
        EXPECT_TRUE(at::equal(top, (steps + n - 1).to(dtype))) << dtype << " " << size;
        EXPECT_TRUE(at::equal(low, steps.to(dtype))) << dtype << " " << size;
      }
  });
}

TEST_P(Collectives, HalfTypesAreRoundedOnceAfterTheWholeSum) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    // 256 + 1 + 1 = 258 in bf16; rounding after each addition would stay at 256 (spacing 2, ties to even).
    at::Tensor x = at::full({3}, rank.index == 0 ? 256.0 : 1.0, at::kBFloat16);
    mesh.tp->all_reduce(x);
    const double expected[] = {0, 0, 256, 258, 260};  // 257 and 259 are ties to even
    EXPECT_EQ(x[0].item<double>(), expected[rank.world]);
    EXPECT_EQ(x.scalar_type(), at::kBFloat16);
  });
}

TEST_P(Collectives, AllReduceGivesTheSameBitsOnEveryRankAndOnRepeat) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    at::Tensor x = at::sin(at::arange(100003, at::kFloat) * (rank.index + 1)), y = x.clone();
    mesh.tp->all_reduce(x);
    mesh.tp->all_reduce(y);
    EXPECT_TRUE(at::equal(x, y));
    at::Tensor bits = x.view(at::kInt).clone(), first = bits.clone();
    mesh.tp->broadcast(first, 0);
    EXPECT_TRUE(at::equal(bits, first));
  });
}

TEST_P(Collectives, StridedTensorsAreReducedInPlace) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    at::Tensor base = at::zeros({4, 6}, at::kFloat);
    at::Tensor view = base.narrow(1, 1, 3);  // [4, 3], not contiguous
    view.fill_(rank.index + 1.0);
    auto pending = mesh.tp->all_reduce_async(view);
    pending->wait();
    const double sum = rank.world * (rank.world + 1) / 2.0;
    EXPECT_EQ(base.sum().item<double>(), sum * 12);
    EXPECT_EQ(base[0][0].item<double>(), 0.0);
    EXPECT_EQ(base[3][3].item<double>(), sum);
  });
}

TEST_P(Collectives, GatherScatterAndBroadcastMoveTheRightSlices) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    const int n = rank.world;
    for (const auto dtype : {at::kFloat, at::kBFloat16, at::kLong}) {
      const at::Tensor all = mesh.tp->all_gather(ramp(rank.index, 6, dtype).view({3, 2}));
      ASSERT_EQ(all.sizes().vec(), (std::vector<int64_t>{3 * n, 2}));
      for (int r = 0; r < n; ++r)
        EXPECT_TRUE(at::equal(all.narrow(0, 3 * r, 3).flatten(), ramp(r, 6, dtype)));

      const at::Tensor part = mesh.tp->reduce_scatter(ramp(rank.index, 5 * n, dtype));  // [5]
      const at::Tensor expected = (at::arange(5, at::kDouble) + 5 * rank.index) * 10 * n + n * (n - 1) / 2;
      EXPECT_TRUE(at::equal(part, expected.to(dtype))) << dtype;

      at::Tensor sent = ramp(rank.index, 9, dtype);
      mesh.tp->broadcast(sent, n - 1);
      EXPECT_TRUE(at::equal(sent, ramp(n - 1, 9, dtype)));
    }
  });
}

TEST_P(Collectives, EmptyTensorsPassThrough) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    at::Tensor none = at::empty({0, 3}, at::kFloat);
    mesh.tp->all_reduce(none);
    mesh.tp->broadcast(none, 0);
    EXPECT_EQ(mesh.tp->all_gather(none).sizes().vec(), (std::vector<int64_t>{0, 3}));
    EXPECT_EQ(mesh.tp->reduce_scatter(none).sizes().vec(), (std::vector<int64_t>{0, 3}));
    mesh.tp->barrier();
  });
}

TEST_P(Collectives, MessagesWithTagsArriveWhateverTheOrderOfReceipt) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    const int n = rank.world, next = (rank.index + 1) % n, previous = (rank.index + n - 1) % n;
    auto first = mesh.tp->send(ramp(rank.index, 4, at::kFloat), next, 1);
    auto second = mesh.tp->send(ramp(rank.index + 100, 4, at::kBFloat16), next, 2);
    at::Tensor a = at::empty({4}, at::kFloat), b = at::empty({4}, at::kBFloat16);
    auto late = mesh.tp->receive(b, previous, 2);
    auto early = mesh.tp->receive(a, previous, 1);
    late->wait(), early->wait(), first->wait(), second->wait();
    EXPECT_TRUE(at::equal(a, ramp(previous, 4, at::kFloat)));
    EXPECT_TRUE(at::equal(b, ramp(previous + 100, 4, at::kBFloat16)));
  });
}

// Gradients of f(x) = sum(w_r * op(x)), with w_r different on every rank, are known in closed form.
TEST_P(Collectives, ConjugatePairsHaveEachOthersGradients) {
  pool().run([](Rank& rank) {
    const Mesh mesh = row(rank);
    const int n = rank.world;
    const double total = n * (n + 1) / 2.0;  // sum of the weights r + 1
    const auto leaf = [&](std::vector<int64_t> shape) {
      return at::full(shape, rank.index + 1.0, at::kFloat).set_requires_grad(true);
    };
    at::Tensor x = leaf({2, 3});
    (copy_to_group(x, mesh.tp) * (rank.index + 1.0)).sum().backward();
    EXPECT_TRUE(at::equal(x.grad(), at::full({2, 3}, total)));  // all-reduced

    x = leaf({2, 3});
    at::Tensor y = reduce_from_group(x, mesh.tp);
    EXPECT_TRUE(at::equal(y, at::full({2, 3}, total)));
    (y * (rank.index + 1.0)).sum().backward();
    EXPECT_TRUE(at::equal(x.grad(), at::full({2, 3}, rank.index + 1.0)));  // identity

    x = leaf({2, 3});
    y = gather_to_group(x, 1, mesh.tp);
    ASSERT_EQ(y.sizes().vec(), (std::vector<int64_t>{2, 3 * n}));
    EXPECT_EQ(y[1][3 * n - 1].item<double>(), n);
    (y * (rank.index + 1.0)).sum().backward();
    EXPECT_TRUE(at::equal(x.grad(), at::full({2, 3}, total)));  // reduce-scattered

    x = leaf({2, 3 * n});
    y = scatter_reduce_from_group(x, 1, mesh.tp);
    EXPECT_TRUE(at::equal(y, at::full({2, 3}, total)));
    (y * (rank.index + 1.0)).sum().backward();
    for (int r = 0; r < n; ++r)  // gathered: columns of rank r carry its weight
      EXPECT_TRUE(at::equal(x.grad().narrow(1, 3 * r, 3), at::full({2, 3}, r + 1.0)));
  });
}

TEST(SingleGroup, ReturnsItsInputFromEveryCollective) {
  const Mesh mesh = single_mesh();
  at::Tensor x = at::arange(4, at::kFloat);
  EXPECT_TRUE(copy_to_group(x, mesh.tp).is_same(x));
  EXPECT_TRUE(reduce_from_group(x, mesh.tp).is_same(x));
  EXPECT_TRUE(gather_to_group(x, 0, mesh.tp).is_same(x));
  EXPECT_TRUE(scatter_reduce_from_group(x, 0, mesh.tp).is_same(x));
  EXPECT_TRUE(mesh.tp->all_gather(x).is_same(x));
}

}  // namespace
}  // namespace mindspeed::test
