// Feed-forward layers, gated (SwiGLU and kin) and plain.
#include "engine/kernels/activation.h"
#include "engine/nn/layers.h"
#include "engine/nn/op.h"

namespace mindspeed {
namespace {

class Dense : public Op {
 public:
  Dense(BuildContext& build, const std::string& prefix, const DenseSpec& spec)
      : spec_(spec),
        up_(build, prefix + (spec.gated ? ".gate_up" : ".up"), Cut::column),
        down_(build, prefix + ".down", Cut::row) {}

  at::Tensor forward(const at::Tensor& x, const StepContext&) const override {
    const at::Tensor up = up_.forward(x);  // [B, T, 2F] or [B, T, F]
    return down_.forward(spec_.gated ? kernels::gated_activation(up, spec_.activation)
                                     : kernels::activation(up, spec_.activation));
  }

 private:
  DenseSpec spec_;
  Linear up_, down_;
};

}  // namespace

std::unique_ptr<Op> make_dense(BuildContext& build, const std::string& prefix, const DenseSpec& spec) {
  return std::make_unique<Dense>(build, prefix, spec);
}

}  // namespace mindspeed
