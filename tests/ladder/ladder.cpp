#include "tests/ladder/ladder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/optim/gradient_norm.h"
#include "engine/parallel/executor.h"
#include "engine/parallel/gradient_sync.h"
#include "engine/runtime/model.h"
#include "front/models/registry.h"
#include "tests/support/golden_model.h"
#include "tests/support/ranks.h"

namespace mindspeed::test {
namespace {

constexpr int64_t kRows = 8, kMicro = 2, kTokens = 24, kSteps = 5;
constexpr double kRate = 0.1;

// One rank's work, written so that it can be sent to it as text: "<layout index> <preset>".
const Layout kOneRank{"one", {}, false};

Plan plan_of(const std::string& preset, const Layout& layout) {
  const ModelSpec spec = models::model_from_config(models::preset_config(preset), preset);
  Plan plan = plan_for(spec, layout.mesh);
  plan.padded_vocab = (spec.vocab / layout.mesh.tp + 3) * layout.mesh.tp;  // padding rows, also on one rank
  plan.optimizer.kind = "sgd";
  plan.optimizer.momentum = 0.0;
  plan.optimizer.weight_decay = 0.0;
  plan.optimizer.sharded = layout.sharded;
  plan.batch.micro = kMicro;
  plan.batch.global = kRows;
  plan.batch.sequence = kTokens;
  plan.batch.micro_batches = kRows / (kMicro * layout.mesh.dp);
  return plan;
}

// The global batch of a step: [rows, T] tokens, and a loss mask that gives the rows different weights.
struct Batch {
  at::Tensor tokens, mask;
};
Batch batch_of(int64_t step, int64_t vocab) {
  const at::Tensor index =
      at::arange(kRows * (kTokens + 1), at::kLong).view({kRows, kTokens + 1}) + step * 1009;
  const at::Tensor mixed = (index * index * 31 + index * 17 + 5) % 104729;
  at::Tensor mask = (mixed.narrow(1, 1, kTokens) % 5 != 0).to(at::kFloat);
  mask.narrow(0, 0, 3).narrow(1, kTokens / 2, kTokens / 2).zero_();  // some rows are half supervised
  return {mixed % vocab, mask};
}

StepContext micro_batch(const Batch& batch, int64_t first_row, double supervised) {
  StepContext c;
  const at::Tensor rows = batch.tokens.narrow(0, first_row, kMicro);
  c.tokens = rows.narrow(1, 0, kTokens).contiguous();
  c.labels = rows.narrow(1, 1, kTokens).contiguous();
  c.positions = at::arange(kTokens, at::kLong).expand({kMicro, kTokens}).contiguous();
  c.row_weights = batch.mask.narrow(0, first_row, kMicro) / supervised;
  c.sample_ids = at::arange(first_row, first_row + kMicro, at::kLong);
  c.head = HeadMode::loss;
  c.training = true;
  return c;
}

// Every parameter of this rank under its table name; gradients of a sharded optimizer are gathered first.
void put_parameters(const Rank& rank, Model& model, const Mesh& mesh, bool sharded, const std::string& kind) {
  ParameterStore& store = model.store();
  at::Tensor flat = (kind == "gradient" ? store.gradients() : store.values()).clone();
  if (sharded && kind == "gradient") {
    const ParameterStore::Range owned = store.owned(mesh.dp_rank);
    flat = mesh.dp->all_gather(flat.narrow(0, owned.begin, owned.end - owned.begin));
  }
  for (size_t i = 0; i < store.parameters().size(); ++i) {
    const ParameterStore::Range range = store.range_of(i);
    const Parameter& parameter = *store.parameters()[i];
    rank.put(kind + "." + parameter.spec.name,
             flat.narrow(0, range.begin, range.end - range.begin).view(parameter.shard.shape));
  }
}

void train(Rank& rank, const std::string& preset, const Layout& layout) {
  const Plan plan = plan_of(preset, layout);
  const Mesh mesh = rank.mesh(layout.mesh);
  ASSERT_EQ(mesh.world->size(), rank.world);
  Model model(plan, mesh);
  model.initialise(7);
  GradientSync sync(model.store(), mesh, layout.sharded);
  Optimizer optimizer(plan.optimizer, sync.ranges());
  Executor executor(model.stages(), plan, mesh);
  if (layout.mesh.tp * layout.mesh.pp > 1) {  // the layout really cuts the model
    EXPECT_LT(model.store().values().numel(), total_elements(plan.parameters) * 3 / 4);
  }
  if (layout.mesh.sequence_parallel) {
    EXPECT_TRUE(mesh.degrees.sequence_parallel);
    EXPECT_EQ(model.parameters().bind("head.norm.weight").spec.partial_over, std::vector{Axis::tp});
  }
  std::vector<double> losses, norms;
  for (int64_t step = 0; step < kSteps; ++step) {
    const Batch batch = batch_of(step, plan.model.vocab);
    const double supervised = batch.mask.sum().item<double>();
    const auto context_of = [&](int64_t m) {
      return micro_batch(batch, (m * layout.mesh.dp + mesh.dp_rank) * kMicro, supervised);
    };
    const auto sum_into = [](double& sum) { return [&sum](int64_t, double loss) { sum += loss; }; };
    double loss = 0, again = 0;
    executor.train(plan.batch.micro_batches, {context_of, sum_into(loss)});
    losses.push_back(total_loss(loss, mesh));
    if (step == 0) {
      executor.evaluate(plan.batch.micro_batches, {context_of, sum_into(again)});
      EXPECT_NEAR(total_loss(again, mesh), losses.back(), 1e-6 * losses.back()) << "forward only";
    }
    sync.reduce();
    norms.push_back(gradient_norm(optimizer.ranges(), mesh, layout.sharded).norm);
    if (step == 0) put_parameters(rank, model, mesh, layout.sharded, "gradient");
    optimizer.step(kRate, 0.0, 1.0);
    sync.gather_values();
    model.store().zero_gradients();
  }
  put_parameters(rank, model, mesh, layout.sharded, "weight");
  rank.put("losses", at::tensor(losses, at::kDouble));
  rank.put("norms", at::tensor(norms, at::kDouble));
}

void train_case(Rank& rank) {
  const size_t space = rank.argument.find(' ');
  const int index = std::stoi(rank.argument.substr(0, space));
  train(rank, rank.argument.substr(space + 1), index < 0 ? kOneRank : layouts()[static_cast<size_t>(index)]);
}

// What all ranks of a layout hold, as logical tensors.
class Assembly {
 public:
  Assembly(const std::string& preset, const Layout& layout, RankPool& pool)
      : plan_(plan_of(preset, layout)), layout_(layout), pool_(pool) {}

  // Puts the shards together; replicas (over dp, uncut over tp, tied copies) must be the same bits.
  at::Tensor logical(const ParameterSpec& spec, const std::string& kind,
                     std::vector<std::string>& faults) const {
    at::Tensor whole = at::full(spec.shape, std::nan(""), at::kFloat);
    const MeshDegrees& mesh = plan_.mesh;
    for (int dp = 0; dp < mesh.dp; ++dp)
      for (int tp = 0; tp < mesh.tp; ++tp) {
        const at::Tensor local = pool_.get(rank_at(stage_of(spec), dp, tp), kind + "." + spec.name);
        for (const ShardBox& box : shard_of(spec, tp, mesh.tp, plan_.padded_vocab).boxes)
          place(whole, local, box, spec.name, faults);
      }
    if (whole.isnan().any().item<bool>())
      faults.push_back(spec.name + " has elements that no rank holds, or NaN");
    return whole;
  }

  const Plan& plan() const { return plan_; }
  at::Tensor get(const std::string& name) const { return pool_.get(rank_at(plan_.mesh.pp - 1, 0, 0), name); }

 private:
  int rank_at(int pp, int dp, int tp) const { return (pp * plan_.mesh.dp + dp) * plan_.mesh.tp + tp; }
  int stage_of(const ParameterSpec& spec) const {
    for (const StageSlice& slice : plan_.placement)
      if (spec.layer == kEmbeddingLayer ? slice.embedding
          : spec.layer == kHeadLayer
              ? slice.head
              : spec.layer >= slice.first_layer && spec.layer < slice.first_layer + slice.layers)
        return slice.stage;
    throw std::logic_error("no stage holds " + spec.name);
  }
  static void place(at::Tensor& whole, const at::Tensor& local, const ShardBox& box, const std::string& name,
                    std::vector<std::string>& faults) {
    at::Tensor to = whole, from = local;
    for (size_t d = 0; d < box.local_start.size(); ++d) {
      const auto dim = static_cast<int64_t>(d);
      to = to.narrow(dim, box.logical.start[d], box.logical.size[d]);
      from = from.narrow(dim, box.local_start[d], box.logical.size[d]);
    }
    const bool fresh = to.isnan().all().item<bool>();
    if (!fresh && !at::equal(to, from)) faults.push_back("replicas of " + name + " differ");
    to.copy_(from);
  }

  Plan plan_;
  Layout layout_;
  RankPool& pool_;
};

void compare(const Assembly& one, const Assembly& many, const std::string& kind, Deviation& worst,
             std::vector<std::string>& faults) {
  for (const ParameterSpec& spec : many.plan().parameters) {
    const bool separate = spec.tied_to.empty() || many.plan().mesh.pp > 1;  // else an alias without storage
    if (!separate) continue;
    ParameterSpec source = spec;  // on one rank a tied copy is its original
    if (!spec.tied_to.empty())
      source = *std::find_if(one.plan().parameters.begin(), one.plan().parameters.end(),
                             [&](const ParameterSpec& p) { return p.name == spec.tied_to; });
    const at::Tensor expected = one.logical(source, kind, faults);
    const at::Tensor got = many.logical(spec, kind, faults);
    const double error = relative_error(got, expected);
    if (!(error <= worst.error)) worst = {error, spec.name};
  }
}

double worst_relative(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).abs() / b.abs()).max().item<double>();
}

}  // namespace

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{{"tp2", {.tp = 2}},
                                       {"tp2+sp", {.tp = 2, .sequence_parallel = true}},
                                       {"dp2", {.dp = 2}},
                                       {"dp2.sharded", {.dp = 2}, true},
                                       {"pp2", {.pp = 2}},
                                       {"pp4", {.pp = 4}},
                                       {"tp2xdp2", {.tp = 2, .dp = 2}},
                                       {"tp2xdp2.sharded", {.tp = 2, .dp = 2}, true},
                                       {"tp2xpp2", {.tp = 2, .pp = 2}},
                                       {"dp2xpp2", {.dp = 2, .pp = 2}}};
  return all;
}

bool Comparison::within(double tolerance) const {
  return loss <= tolerance && gradients.error <= tolerance && weights.error <= tolerance && faults.empty();
}

Comparison climb(const std::string& preset, const Layout& layout) {
  static std::string trained;  // the preset whose one-rank results lie in ranks(1)
  if (trained != preset) ranks(1).run(train_case, "-1 " + preset);
  trained = preset;
  const auto index = std::find_if(layouts().begin(), layouts().end(),
                                  [&](const Layout& l) { return l.name == layout.name; }) -
                     layouts().begin();
  RankPool& pool = ranks(layout.mesh.world());
  pool.run(train_case, std::to_string(index) + " " + preset);
  const Assembly one(preset, kOneRank, ranks(1)), many(preset, layout, pool);
  Comparison result;
  result.loss = std::max(worst_relative(many.get("losses"), one.get("losses")),
                         worst_relative(many.get("norms"), one.get("norms")));
  compare(one, many, "gradient", result.gradients, result.faults);
  compare(one, many, "weight", result.weights, result.faults);
  return result;
}

}  // namespace mindspeed::test
