// Plans and models for engine tests: golden folders made by transformers, and the one-rank Plan of a model spec.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>

#include "engine/nn/context.h"
#include "engine/runtime/model.h"
#include "front/plan/plan.h"

namespace mindspeed::test {

// One rank, fp32, everything else at its default; layers placed evenly over `mesh.pp` stages.
Plan plan_for(const ModelSpec& spec, const MeshDegrees& mesh = {});

struct GoldenModel {
  std::string name;
  std::string folder;
  Plan plan;
  at::Tensor input_ids;              // [B, T] int64
  at::Tensor logits;                 // [B, T, V]
  at::Tensor loss, sgd_losses;       // [1], [6]
  // Gradient of a parameter by our name, logical shape.
  at::Tensor gradient(const std::string& name) const;
  std::unique_ptr<TensorSource> weights() const;
};

GoldenModel open_golden(const std::string& name);

// Next-token prediction over whole rows as transformers' labels=input_ids: mean over B * (T - 1) positions.
StepContext next_token_context(const at::Tensor& input_ids, HeadMode mode);

// max |a - b| / max |b|
double relative_error(const at::Tensor& a, const at::Tensor& b);

}  // namespace mindspeed::test
