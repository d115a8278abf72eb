// config.json: the model, its parameter table, and the config written back.
#include <nlohmann/json.hpp>

#include "front/base/json.h"
#include "front/models/registry.h"
#include "front/plan/parameter_spec.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  return fuzz::expect_answer([&] {
    const Json config = parse_json(fuzz::text_of(data, size), "x");
    const ModelSpec model = models::model_from_config(config, "x");
    models::config_from_model(model, models::config_dtype(config, "x").value_or(DType::f32));
  });
}
