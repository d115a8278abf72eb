// A parameter as one rank holds it: a shard of a logical tensor of the parameter table.
#pragma once

#include <ATen/ATen.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "front/plan/parameter_spec.h"

namespace mindspeed {

struct Parameter {
  ParameterSpec spec;
  Shard shard;  // which boxes of the logical tensor this rank holds, and the local shape (padding included)
  bool tied_copy = false;  // a second copy of a tied tensor on another stage: not counted in norms, not saved

  at::Tensor value;  // leaf with requires_grad, local shape, storage dtype; a view of the store's flat buffer
  at::Tensor main_grad;  // fp32, local shape; a view of the store's flat buffer; written only inside
                         // BlockRunner::backward
};

// The parameters of one rank in table order, found by logical name. Modules bind to them when the model is
// built; a name that no module took, or that the table does not have, is an error (check_all_bound).
class ParameterSet {
 public:
  Parameter& add(Parameter parameter);
  // Marks `name` as an alias of an existing parameter on the same rank (tied head).
  void alias(const std::string& name, const std::string& target);

  Parameter& bind(const std::string& name);  // throws std::logic_error for an unknown name
  bool has(const std::string& name) const;
  void check_all_bound() const;

  std::vector<Parameter*> all() const;  // table order, aliases left out

 private:
  std::vector<std::unique_ptr<Parameter>> parameters_;
  std::map<std::string, Parameter*> by_name_;
  std::map<std::string, bool> bound_;
};

}  // namespace mindspeed
