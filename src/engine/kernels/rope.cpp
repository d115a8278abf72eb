#include "engine/kernels/rope.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "engine/kernels/cpu/rows.h"
#include "front/base/error.h"

namespace mindspeed::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

// Llama 3.1: long wavelengths are divided by `factor`, short ones kept, the band between is blended.
void scale_llama3(std::vector<double>& frequencies, const RopeSpec& spec) {
  const auto original = static_cast<double>(spec.original_max_position);
  for (double& f : frequencies) {
    const double wavelength = 2.0 * std::numbers::pi / f;
    if (wavelength < original / spec.high_freq_factor) continue;
    if (wavelength > original / spec.low_freq_factor) {
      f /= spec.factor;
      continue;
    }
    const double smooth =
        (original / wavelength - spec.low_freq_factor) / (spec.high_freq_factor - spec.low_freq_factor);
    f = (1.0 - smooth) * f / spec.factor + smooth * f;
  }
}

struct Rows {
  int64_t batch, tokens, heads, width;
};

// Copies x [B, T, h, d] to [B, h, T, d] (or back) while rotating; strides of the token-major side are given.
template <class Rotate>
void for_each_head_row(const Rows& r, const Rotate& rotate) {
  at::parallel_for(0, r.batch * r.heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t bh = begin; bh < end; ++bh)
      for (int64_t t = 0; t < r.tokens; ++t) rotate(bh / r.heads, bh % r.heads, t);
  });
}

void rotate_row(const float* in, float* out, const float* cosine, const float* sine, int64_t dim,
                int64_t width, bool interleaved, float sign) {
  if (interleaved)
    rows::rotate_interleaved(in, cosine, sine, out, dim / 2, sign);
  else
    rows::rotate_half(in, cosine, sine, out, dim / 2, sign);
  if (width > dim) std::memcpy(out + dim, in + dim, static_cast<size_t>(width - dim) * sizeof(float));
}

struct RopeFunction : torch::autograd::Function<RopeFunction> {
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& cosine,
                          const Variable& sine, const Variable& positions, int64_t dim, bool interleaved) {
    ctx->save_for_backward({cosine, sine, positions});
    ctx->saved_data["dim"] = dim;
    ctx->saved_data["interleaved"] = interleaved;
    ctx->saved_data["dtype"] = static_cast<int64_t>(x.scalar_type());
    const at::Tensor in = x.to(at::kFloat);
    const Rows r{x.size(0), x.size(1), x.size(2), x.size(3)};
    at::Tensor out = at::empty({r.batch, r.heads, r.tokens, r.width}, in.options());
    const float* source = in.const_data_ptr<float>();
    const int64_t sb = in.stride(0), st = in.stride(1), sh = in.stride(2);
    const int64_t* position = positions.const_data_ptr<int64_t>();
    for_each_head_row(r, [&](int64_t b, int64_t h, int64_t t) {
      const int64_t row = position[b * r.tokens + t] * (dim / 2);
      rotate_row(source + b * sb + t * st + h * sh,
                 out.data_ptr<float>() + ((b * r.heads + h) * r.tokens + t) * r.width,
                 cosine.const_data_ptr<float>() + row, sine.const_data_ptr<float>() + row, dim, r.width,
                 interleaved, 1.0f);
    });
    return out.to(x.scalar_type());
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &cosine = saved[0], &sine = saved[1], &positions = saved[2];
    const int64_t dim = ctx->saved_data["dim"].toInt();
    const bool interleaved = ctx->saved_data["interleaved"].toBool();
    const at::Tensor g = grads[0].to(at::kFloat).contiguous();  // [B, h, T, d]
    const Rows r{g.size(0), g.size(2), g.size(1), g.size(3)};
    at::Tensor dx = at::empty({r.batch, r.tokens, r.heads, r.width}, g.options());
    const int64_t* position = positions.const_data_ptr<int64_t>();
    for_each_head_row(r, [&](int64_t b, int64_t h, int64_t t) {
      const int64_t row = position[b * r.tokens + t] * (dim / 2);
      rotate_row(g.const_data_ptr<float>() + ((b * r.heads + h) * r.tokens + t) * r.width,
                 dx.data_ptr<float>() + ((b * r.tokens + t) * r.heads + h) * r.width,
                 cosine.const_data_ptr<float>() + row, sine.const_data_ptr<float>() + row, dim, r.width,
                 interleaved, -1.0f);
    });
    variable_list out(6);
    out[0] = dx.to(static_cast<at::ScalarType>(ctx->saved_data["dtype"].toInt()));
    return out;
  }
};

}  // namespace

std::vector<double> rope_inverse_frequencies(const RopeSpec& spec, int64_t length) {
  double theta = spec.theta;
  const auto dim = static_cast<double>(spec.dim);
  if (spec.scaling == RopeScaling::dynamic && length > spec.original_max_position) {
    const double stretch =
        spec.factor * static_cast<double>(length) / static_cast<double>(spec.original_max_position);
    theta *= std::pow(stretch - (spec.factor - 1.0), dim / (dim - 2.0));
  }
  std::vector<double> frequencies(static_cast<size_t>(spec.dim / 2));
  for (size_t i = 0; i < frequencies.size(); ++i)
    frequencies[i] = std::pow(theta, -2.0 * static_cast<double>(i) / dim);
  switch (spec.scaling) {
    case RopeScaling::none:
    case RopeScaling::dynamic:
      break;
    case RopeScaling::linear:
      for (double& f : frequencies) f /= spec.factor;
      break;
    case RopeScaling::llama3:
      scale_llama3(frequencies, spec);
      break;
    default:
      fail("rope", "yarn and longrope scaling are not implemented; use a model with another rope_type");
  }
  return frequencies;
}

RopeTable rope_table(const RopeSpec& spec, int64_t positions) {
  const std::vector<double> frequencies = rope_inverse_frequencies(spec, positions);
  const auto half = static_cast<int64_t>(frequencies.size());
  RopeTable table{at::empty({positions, half}), at::empty({positions, half}), spec.dim, spec.interleaved};
  float* cosine = table.cosine.data_ptr<float>();
  float* sine = table.sine.data_ptr<float>();
  for (int64_t p = 0; p < positions; ++p)
    for (int64_t i = 0; i < half; ++i) {
      const double angle = static_cast<double>(p) * frequencies[static_cast<size_t>(i)];
      cosine[p * half + i] = static_cast<float>(std::cos(angle) * spec.attention_factor);
      sine[p * half + i] = static_cast<float>(std::sin(angle) * spec.attention_factor);
    }
  return table;
}

at::Tensor rope_to_heads(const at::Tensor& x, const RopeTable& table, const at::Tensor& positions) {
  const int64_t last = positions.max().item<int64_t>();
  if (last >= table.cosine.size(0))
    fail("rope", "position {} is past the model's {} positions; use shorter sequences or a model with a longer context",
         last, table.cosine.size(0));
  return RopeFunction::apply(x, table.cosine, table.sine, positions.contiguous(), table.dim,
                             table.interleaved);
}

}  // namespace mindspeed::kernels
