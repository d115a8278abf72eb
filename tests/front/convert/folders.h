// Copies of golden model folders that a test may damage, and whole reads.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "front/base/file.h"
#include "front/plan/model_spec.h"
#include "front/plan/tensor_io.h"

namespace mindspeed::test {

// The ten families' golden folders.
const std::vector<std::string>& golden_models();

// A copy of tests/golden/hf/NAME (config, generation config, weights) in a fresh folder.
fs::path copy_of_golden(const std::string& name);

ModelSpec model_at(const fs::path& path);
std::unique_ptr<TensorSource> weights_at(const fs::path& path);

// A box of one of our tensors as fp32.
std::vector<float> read_box(const TensorSource& source, const std::string& name, const Box& box);
std::vector<float> read_whole(const TensorSource& source, const std::string& name);

// what() of the Error that the call throws; "nothing thrown" if none.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing thrown";
}

}  // namespace mindspeed::test
