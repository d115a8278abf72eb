#include "engine/nn/parameter.h"

#include <stdexcept>

namespace mindspeed {

Parameter& ParameterSet::add(Parameter parameter) {
  const std::string name = parameter.spec.name;
  auto& slot = parameters_.emplace_back(std::make_unique<Parameter>(std::move(parameter)));
  if (!by_name_.emplace(name, slot.get()).second) throw std::logic_error("parameter declared twice: " + name);
  bound_[name] = false;
  return *slot;
}

void ParameterSet::alias(const std::string& name, const std::string& target) {
  if (!by_name_.emplace(name, by_name_.at(target)).second)
    throw std::logic_error("parameter declared twice: " + name);
  bound_[name] = false;
}

Parameter& ParameterSet::bind(const std::string& name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end())
    throw std::logic_error("a module uses a parameter that the table does not have: " + name);
  bound_[name] = true;
  return *found->second;
}

bool ParameterSet::has(const std::string& name) const { return by_name_.contains(name); }

void ParameterSet::check_all_bound() const {
  for (const auto& [name, bound] : bound_)
    if (!bound) throw std::logic_error("no module uses the declared parameter " + name);
}

std::vector<Parameter*> ParameterSet::all() const {
  std::vector<Parameter*> list;
  for (const auto& p : parameters_) list.push_back(p.get());
  return list;
}

}  // namespace mindspeed
