// What modules need while they bind to their parameters.
#pragma once

#include "engine/comm/mesh.h"
#include "engine/nn/parameter.h"
#include "front/plan/plan.h"

namespace mindspeed {

struct BuildContext {
  const Plan& plan;
  const Mesh& mesh;
  ParameterSet& parameters;
  std::vector<Parameter*>& used;  // collects what the block binds

  Parameter& bind(const std::string& name) {
    Parameter& p = parameters.bind(name);
    used.push_back(&p);
    return p;
  }
};

}  // namespace mindspeed
