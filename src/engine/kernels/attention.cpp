#include "engine/kernels/attention.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/kernels/cpu/rows.h"
#include "engine/kernels/gemm.h"

namespace mindspeed::kernels {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

constexpr int64_t kQueryBlock = 64;  // rows of q worked on at a time; measured best between 32 and 128
constexpr float kMasked = -std::numeric_limits<float>::infinity();

struct Shape {
  int64_t batch, heads, groups, queries, keys, width;
  int64_t group_of(int64_t head) const { return head / (heads / groups); }
};

// Which keys the queries of one batch row may see.
struct Visibility {
  const int64_t* positions = nullptr;   // [T] position of each query; null: its row number
  const int64_t* doc_starts = nullptr;  // [T] first visible key; null: 0
  int64_t window = 0;

  int64_t last(int64_t q) const { return positions != nullptr ? positions[q] : q; }
  int64_t first(int64_t q) const {
    const int64_t start = doc_starts != nullptr ? doc_starts[q] : 0;
    return window > 0 ? std::max(start, last(q) - window + 1) : start;
  }
};

// Scores of a block of queries [i0, i1) against keys [k0, k1).
struct Block {
  int64_t i0, i1, k0, k1;
  int64_t rows() const { return i1 - i0; }
  int64_t columns() const { return k1 - k0; }
};

Block block_at(const Visibility& see, int64_t i0, int64_t queries) {
  Block b{i0, std::min(i0 + kQueryBlock, queries), std::numeric_limits<int64_t>::max(), 0};
  for (int64_t i = b.i0; i < b.i1; ++i) {
    b.k0 = std::min(b.k0, see.first(i));
    b.k1 = std::max(b.k1, see.last(i) + 1);
  }
  return b;
}

// s <- soft_cap(scale * q k^T), masked; s is [rows, columns].
void block_scores(const Block& b, const Visibility& see, const AttentionOptions& options, const float* q,
                  const float* k, int64_t width, float* s) {
  const int64_t n = b.columns();
  sgemm(false, true, b.rows(), n, width, static_cast<float>(options.scale), q + b.i0 * width, width,
        k + b.k0 * width, width, 0.0f, s, n);
  if (options.soft_cap > 0.0) {
    const auto cap = static_cast<float>(options.soft_cap);
    for (int64_t i = 0; i < b.rows() * n; ++i) s[i] = cap * std::tanh(s[i] / cap);
  }
  for (int64_t i = 0; i < b.rows(); ++i) {
    float* row = s + i * n;
    std::fill(row, row + (see.first(b.i0 + i) - b.k0), kMasked);
    std::fill(row + (see.last(b.i0 + i) + 1 - b.k0), row + n, kMasked);
  }
}

// One head forward: out rows have stride `out_stride`; lse [T] may be null. scratch holds kQueryBlock * keys
// floats.
void head_forward(const Shape& sh, const Visibility& see, const AttentionOptions& options, const float* q,
                  const float* k, const float* v, const float* keep, float* out, int64_t out_stride,
                  float* lse, std::vector<float>& scratch) {
  for (int64_t i0 = 0; i0 < sh.queries; i0 += kQueryBlock) {
    const Block b = block_at(see, i0, sh.queries);
    const int64_t n = b.columns();
    float* s = scratch.data();
    block_scores(b, see, options, q, k, sh.width, s);
    for (int64_t i = 0; i < b.rows(); ++i) {
      float* row = s + i * n;
      const float top = rows::maximum(row, n);
      const float total = rows::exp_shifted(row, n, top);
      rows::scale(row, n, 1.0f / total);
      if (lse != nullptr) lse[b.i0 + i] = top + std::log(total);
      if (keep != nullptr)
        for (int64_t j = 0; j < n; ++j) row[j] *= keep[(b.i0 + i) * sh.keys + b.k0 + j];
    }
    sgemm(false, false, b.rows(), sh.width, n, 1.0f, s, n, v + b.k0 * sh.width, sh.width, 0.0f,
          out + b.i0 * out_stride, out_stride);
  }
}

struct HeadGrad {
  const float *q, *k, *v, *out, *dout, *lse, *keep;
  int64_t out_stride;
  float *dq, *dk, *dv;
};

// One head backward: dq rows are written, dk and dv [S, d] accumulated.
void head_backward(const Shape& sh, const Visibility& see, const AttentionOptions& options, const HeadGrad& g,
                   std::vector<float>& p_scratch, std::vector<float>& dp_scratch) {
  const int64_t w = sh.width;
  for (int64_t i0 = 0; i0 < sh.queries; i0 += kQueryBlock) {
    const Block b = block_at(see, i0, sh.queries);
    const int64_t n = b.columns();
    float *p = p_scratch.data(), *dp = dp_scratch.data();
    block_scores(b, see, options, g.q, g.k, w, p);
    std::vector<float> capped;
    if (options.soft_cap > 0.0) capped.assign(p, p + b.rows() * n);
    sgemm(false, true, b.rows(), n, w, 1.0f, g.dout + b.i0 * g.out_stride, g.out_stride, g.v + b.k0 * w, w,
          0.0f, dp, n);
    for (int64_t i = 0; i < b.rows(); ++i) {
      float *row = p + i * n, *drow = dp + i * n;
      rows::exp_shifted(row, n, g.lse[b.i0 + i]);
      const float* mask = g.keep != nullptr ? g.keep + (b.i0 + i) * sh.keys + b.k0 : nullptr;
      const float delta = rows::dot(g.dout + (b.i0 + i) * g.out_stride, g.out + (b.i0 + i) * g.out_stride, w);
      if (mask != nullptr)
        for (int64_t j = 0; j < n; ++j) drow[j] *= mask[j];
      rows::softmax_grad(row, drow, n, delta, static_cast<float>(options.scale));
      if (mask != nullptr)
        for (int64_t j = 0; j < n; ++j) row[j] *= mask[j];
      if (options.soft_cap > 0.0)
        for (int64_t j = 0; j < n; ++j) {
          const float t = capped[i * n + j] / static_cast<float>(options.soft_cap);
          drow[j] = std::isfinite(t) ? drow[j] * (1.0f - t * t) : 0.0f;
        }
    }
    sgemm(false, false, b.rows(), w, n, 1.0f, dp, n, g.k + b.k0 * w, w, 0.0f, g.dq + b.i0 * w, w);
    sgemm(true, false, n, w, b.rows(), 1.0f, dp, n, g.q + b.i0 * w, w, 1.0f, g.dk + b.k0 * w, w);
    sgemm(true, false, n, w, b.rows(), 1.0f, p, n, g.dout + b.i0 * g.out_stride, g.out_stride, 1.0f,
          g.dv + b.k0 * w, w);
  }
}

Shape shape_of(const at::Tensor& q, const at::Tensor& k) {
  return {q.size(0), q.size(1), k.size(1), q.size(2), k.size(2), q.size(3)};
}

// Runs body(batch, head) over all heads on all threads.
template <class Body>
void for_each_head(const Shape& sh, const Body& body) {
  at::parallel_for(0, sh.batch * sh.heads, 1, [&](int64_t begin, int64_t end) {
    for (int64_t bh = begin; bh < end; ++bh) body(bh / sh.heads, bh % sh.heads);
  });
}

const float* data(const at::Tensor& t) { return t.defined() ? t.const_data_ptr<float>() : nullptr; }
const int64_t* row_of(const at::Tensor& t, int64_t b) {
  return t.defined() ? t.const_data_ptr<int64_t>() + b * t.size(1) : nullptr;
}
at::Tensor plain(const at::Tensor& t) { return t.to(at::kFloat).contiguous(); }

// q, k, v contiguous fp32. Returns out [B, T, h, d] and lse [B, h, T].
std::pair<at::Tensor, at::Tensor> forward_all(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                              const at::Tensor& positions, const at::Tensor& doc_starts,
                                              const at::Tensor& keep, const AttentionOptions& options) {
  const Shape sh = shape_of(q, k);
  at::Tensor out = at::empty({sh.batch, sh.queries, sh.heads, sh.width}, q.options());
  at::Tensor lse = at::empty({sh.batch, sh.heads, sh.queries}, q.options());
  for_each_head(sh, [&](int64_t b, int64_t h) {
    std::vector<float> scratch(static_cast<size_t>(kQueryBlock * sh.keys));
    const Visibility see{row_of(positions, b), row_of(doc_starts, b), options.window};
    const int64_t kv = (b * sh.groups + sh.group_of(h)) * sh.keys * sh.width;
    const float* mask = keep.defined() ? data(keep) + (b * sh.heads + h) * sh.queries * sh.keys : nullptr;
    head_forward(sh, see, options, data(q) + (b * sh.heads + h) * sh.queries * sh.width, data(k) + kv,
                 data(v) + kv, mask, out.data_ptr<float>() + (b * sh.queries * sh.heads + h) * sh.width,
                 sh.heads * sh.width, lse.data_ptr<float>() + (b * sh.heads + h) * sh.queries, scratch);
  });
  return {out, lse};
}

struct AttentionFunction : torch::autograd::Function<AttentionFunction> {
  static Variable forward(AutogradContext* ctx, const Variable& q, const Variable& k, const Variable& v,
                          const std::optional<at::Tensor>& doc_starts, const std::optional<at::Tensor>& keep,
                          double scale, int64_t window, double soft_cap) {
    const at::Tensor starts = doc_starts ? doc_starts->contiguous() : at::Tensor();
    const at::Tensor mask = keep ? *keep : at::Tensor();
    auto [out, lse] =
        forward_all(plain(q), plain(k), plain(v), at::Tensor(), starts, mask, {scale, window, soft_cap});
    const at::Tensor result = out.to(q.scalar_type());
    ctx->save_for_backward({q, k, v, result, lse, starts, mask});
    ctx->saved_data["scale"] = scale;
    ctx->saved_data["window"] = window;
    ctx->saved_data["soft_cap"] = soft_cap;
    return result;
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor q = plain(saved[0]), k = plain(saved[1]), v = plain(saved[2]), out = plain(saved[3]);
    const at::Tensor &lse = saved[4], &starts = saved[5], &mask = saved[6];
    const at::Tensor dout = plain(grads[0]);
    const AttentionOptions options{ctx->saved_data["scale"].toDouble(), ctx->saved_data["window"].toInt(),
                                   ctx->saved_data["soft_cap"].toDouble()};
    const Shape sh = shape_of(q, k);
    at::Tensor dq = at::empty_like(q);
    // Per query head first, then summed over the heads of a group: no two threads write the same rows.
    at::Tensor dk = at::zeros({sh.batch, sh.heads, sh.keys, sh.width}, q.options());
    at::Tensor dv = at::zeros_like(dk);
    for_each_head(sh, [&](int64_t b, int64_t h) {
      std::vector<float> p(static_cast<size_t>(kQueryBlock * sh.keys)), dp(p.size());
      const Visibility see{nullptr, row_of(starts, b), options.window};
      const int64_t bh = b * sh.heads + h, head = bh * sh.queries * sh.width, full = bh * sh.keys * sh.width;
      const int64_t kv = (b * sh.groups + sh.group_of(h)) * sh.keys * sh.width;
      const int64_t token_major = (b * sh.queries * sh.heads + h) * sh.width;
      const HeadGrad g{data(q) + head,
                       data(k) + kv,
                       data(v) + kv,
                       data(out) + token_major,
                       data(dout) + token_major,
                       data(lse) + bh * sh.queries,
                       mask.defined() ? data(mask) + bh * sh.queries * sh.keys : nullptr,
                       sh.heads * sh.width,
                       dq.data_ptr<float>() + head,
                       dk.data_ptr<float>() + full,
                       dv.data_ptr<float>() + full};
      head_backward(sh, see, options, g, p, dp);
    });
    const int64_t repeat = sh.heads / sh.groups;
    if (repeat > 1) {
      dk = dk.view({sh.batch, sh.groups, repeat, sh.keys, sh.width}).sum(2);
      dv = dv.view({sh.batch, sh.groups, repeat, sh.keys, sh.width}).sum(2);
    }
    variable_list result(8);
    result[0] = dq.to(saved[0].scalar_type());
    result[1] = dk.to(saved[1].scalar_type());
    result[2] = dv.to(saved[2].scalar_type());
    return result;
  }
};

}  // namespace

at::Tensor causal_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const AttentionOptions& options, const std::optional<at::Tensor>& doc_starts,
                            const std::optional<at::Tensor>& keep) {
  return AttentionFunction::apply(q, k, v, doc_starts, keep, options.scale, options.window, options.soft_cap);
}

at::Tensor cached_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const at::Tensor& positions, const AttentionOptions& options) {
  return forward_all(plain(q), plain(k), plain(v), positions.contiguous(), at::Tensor(), at::Tensor(),
                     options)
      .first.to(q.scalar_type());
}

}  // namespace mindspeed::kernels
