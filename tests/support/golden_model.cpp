#include "tests/support/golden_model.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "front/base/json.h"
#include "front/convert/open.h"
#include "front/formats/safetensors.h"
#include "front/models/registry.h"
#include "tests/support/proof.h"

namespace mindspeed::test {
namespace {

at::Tensor read_tensor(const SafetensorsFile& file, const std::string& name) {
  const SafetensorsEntry* entry = file.find(name);
  if (entry == nullptr) throw std::runtime_error("no tensor " + name + " in " + file.path().string());
  at::Tensor out = at::empty(entry->shape, entry->dtype == DType::i64 ? at::kLong : at::kFloat);
  std::memcpy(out.data_ptr(), file.bytes(*entry).data(), entry->bytes);
  return out;
}

// The "grad.*" tensors of a fixture under the names of the checkpoint.
class FixtureGradients : public OutsideTensors {
 public:
  explicit FixtureGradients(const std::string& path) : file_(path) {}
  std::string origin() const override { return file_.path().string(); }
  std::vector<TensorInfo> list() const override {
    std::vector<TensorInfo> out;
    for (const SafetensorsEntry& e : file_.entries())
      if (e.name.starts_with("grad.")) out.push_back({e.name.substr(5), e.dtype, e.shape});
    return out;
  }
  void read(std::string_view name, const Box& box, DType, std::span<std::byte> out) const override {
    file_.read_box(*file_.find("grad." + std::string(name)), box.start, box.size, out);
  }

 private:
  SafetensorsFile file_;
};

}  // namespace

Plan plan_for(const ModelSpec& spec, const MeshDegrees& mesh) {
  Plan plan;
  plan.model = spec;
  plan.mesh = mesh;
  plan.parameters = parameter_table(spec, mesh.sequence_parallel);
  plan.padded_vocab = (spec.vocab + mesh.tp - 1) / mesh.tp * mesh.tp;
  const int per_stage = static_cast<int>(spec.layers.size()) / mesh.pp;
  for (int stage = 0; stage < mesh.pp; ++stage)
    plan.placement.push_back({stage, 0, stage * per_stage, per_stage, stage == 0, stage == mesh.pp - 1});
  return plan;
}

GoldenModel open_golden(const std::string& name) {
  GoldenModel g;
  g.name = name;
  g.folder = golden_dir() + "/hf/" + name;
  g.plan = plan_for(models::model_from_config(load_model_config(g.folder), g.folder));
  const SafetensorsFile fixture(g.folder + "/fixture.safetensors");
  g.input_ids = read_tensor(fixture, "input_ids");
  g.logits = read_tensor(fixture, "logits");
  g.loss = read_tensor(fixture, "loss");
  g.sgd_losses = read_tensor(fixture, "sgd_losses");
  return g;
}

std::unique_ptr<TensorSource> GoldenModel::weights() const { return open_weights(folder, plan.model, plan.parameters); }

at::Tensor GoldenModel::gradient(const std::string& parameter) const {
  const MappedSource source(std::make_unique<FixtureGradients>(folder + "/fixture.safetensors"),
                            models::family(plan.model.family).hf_names(plan.model), plan.parameters);
  for (const TensorInfo& info : source.list()) {
    if (info.name != parameter) continue;
    at::Tensor out = at::empty(info.shape, at::kFloat);
    source.read(parameter, whole(info.shape), DType::f32,
                {static_cast<std::byte*>(out.data_ptr()), static_cast<size_t>(out.nbytes())});
    return out;
  }
  throw std::runtime_error("no gradient of " + parameter);
}

StepContext next_token_context(const at::Tensor& ids, HeadMode mode) {
  const int64_t batch = ids.size(0), tokens = ids.size(1);
  StepContext c;
  c.tokens = ids;
  c.positions = at::arange(tokens, at::kLong).expand({batch, tokens}).contiguous();
  c.labels = at::cat({ids.narrow(1, 1, tokens - 1), at::zeros({batch, 1}, at::kLong)}, 1);
  c.row_weights = at::full({batch, tokens}, 1.0 / static_cast<double>(batch * (tokens - 1)), at::kFloat);
  c.row_weights.select(1, tokens - 1).zero_();
  c.sample_ids = at::arange(batch, at::kLong);
  c.head = mode;
  return c;
}

double relative_error(const at::Tensor& a, const at::Tensor& b) {
  const double scale = b.abs().max().item<double>();
  return (a - b).abs().max().item<double>() / (scale > 0 ? scale : 1.0);
}

}  // namespace mindspeed::test
