#include "autograd/kernels/attention_scores.h"

#include <algorithm>
#include <limits>

#include "autograd/kernels/gemm.h"
#include "autograd/kernels/reduce.h"
#include "autograd/kernels/vector_math.h"

namespace tapehead::kernels::detail {

namespace {

// scores = scale * q k^T
template <typename Scalar>
void dot_scores_forward(const Block<Scalar>& x, Scalar* scores) {
  gemm(Gemm<Scalar>{.m = x.rows(),
                    .n = x.keys,
                    .k = x.a.d_k,
                    .a = x.a.q + x.q_at(),
                    .lda = x.query_width(),
                    .b = x.a.k + x.k_at(),
                    .ldb = x.key_width(),
                    .transpose_b = true,
                    .c = scores,
                    .ldc = x.a.n_k,
                    .alpha = static_cast<Scalar>(x.a.scale)});
}

// dq = scale * d_scores k, dk += scale * d_scores^T q
template <typename Scalar>
void dot_scores_backward(const Block<Scalar>& x, const Scalar* d_scores, Scalar* dq, Scalar* dk) {
  const auto scale = static_cast<Scalar>(x.a.scale);
  gemm(Gemm<Scalar>{.m = x.rows(),
                    .n = x.a.d_k,
                    .k = x.keys,
                    .a = d_scores,
                    .lda = x.a.n_k,
                    .b = x.a.k + x.k_at(),
                    .ldb = x.key_width(),
                    .c = dq + x.q_at(),
                    .ldc = x.query_width(),
                    .alpha = scale});
  gemm(Gemm<Scalar>{.m = x.keys,
                    .n = x.a.d_k,
                    .k = x.rows(),
                    .a = d_scores,
                    .lda = x.a.n_k,
                    .transpose_a = true,
                    .b = x.a.q + x.q_at(),
                    .ldb = x.query_width(),
                    .c = dk + x.k_at(),
                    .ldc = x.key_width(),
                    .alpha = scale,
                    .beta = Scalar(1)});
}

// tanh(q_c + k_jc) for the query q and every key j of the block.
template <typename Scalar>
void additive_activations(const Block<Scalar>& x, const Scalar* q, Scalar* activations) {
  const Index d = x.a.d_k;
  for (Index j = 0; j < x.keys; ++j) {
    const Scalar* k = x.a.k + x.k_at() + j * x.key_width();
    for (Index c = 0; c < d; ++c) activations[j * d + c] = q[c] + k[c];
  }
  tanh(activations, activations, x.keys * d);
}

// scores = scale * sum_c w_c tanh(q_ic + k_jc)
template <typename Scalar>
void additive_scores_forward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* scores) {
  const Index d = x.a.d_k;
  const auto scale = static_cast<Scalar>(x.a.scale);
  const Scalar* w = x.a.score_weight + x.h * d;
  for (Index r = 0; r < x.rows(); ++r) {
    additive_activations(x, x.a.q + x.q_at() + r * x.query_width(), own.activations);
    for (Index j = 0; j < x.keys; ++j) {
      scores[r * x.a.n_k + j] = scale * dot(w, own.activations + j * d, d);
    }
  }
}

// With t = tanh(q_ic + k_jc), computed again, and g = scale * d_score_ij:
//   dw_c += g t     dq_ic = sum_j g w_c (1 - t^2)     dk_jc += g w_c (1 - t^2)
template <typename Scalar>
void additive_scores_backward(const Block<Scalar>& x, const Scratch<Scalar>& own,
                              const Scalar* d_scores, const ScoreGradients<Scalar>& d) {
  const Index width = x.a.d_k;
  const Scalar* w = x.a.score_weight + x.h * width;
  Scalar* dw = d.d_score_weight + (x.b * x.a.heads + x.h) * width;
  for (Index r = 0; r < x.rows(); ++r) {
    const Index q_at = x.q_at() + r * x.query_width();
    additive_activations(x, x.a.q + q_at, own.activations);
    Scalar* dq = d.dq + q_at;
    std::fill_n(dq, width, Scalar(0));
    for (Index j = 0; j < x.keys; ++j) {
      const Scalar g = static_cast<Scalar>(x.a.scale) * d_scores[r * x.a.n_k + j];
      const Scalar* t = own.activations + j * width;
      Scalar* dk = d.dk + x.k_at() + j * x.key_width();
      for (Index c = 0; c < width; ++c) {
        const Scalar inside = g * w[c] * (1 - t[c] * t[c]);
        dw[c] += g * t[c];
        dq[c] += inside;
        dk[c] += inside;
      }
    }
  }
}

// Scores before the cap.
template <typename Scalar>
void plain_scores_forward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* scores) {
  if (x.a.score_weight == nullptr) {
    dot_scores_forward(x, scores);
  } else {
    additive_scores_forward(x, own, scores);
  }
}

// tanh(scores / cap), in place.
template <typename Scalar>
void squash(const Block<Scalar>& x, Scalar* scores) {
  const auto cap = static_cast<Scalar>(x.a.soft_cap);
  for (Index r = 0; r < x.rows(); ++r) {
    Scalar* row = scores + r * x.a.n_k;
    for (Index j = 0; j < x.keys; ++j) row[j] /= cap;
    tanh(row, row, x.keys);
  }
}

// d_scores *= 1 - tanh(scores / cap)^2, the scores computed again.
template <typename Scalar>
void soft_cap_backward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* d_scores) {
  Scalar* squashed = own.dropped;
  plain_scores_forward(x, own, squashed);
  squash(x, squashed);
  for (Index r = 0; r < x.rows(); ++r) {
    for (Index j = r * x.a.n_k; j < r * x.a.n_k + x.keys; ++j) {
      d_scores[j] *= 1 - squashed[j] * squashed[j];
    }
  }
}

}  // namespace

template <typename Scalar>
void scores_forward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* scores) {
  plain_scores_forward(x, own, scores);
  if (x.a.soft_cap == 0) return;
  squash(x, scores);
  const auto cap = static_cast<Scalar>(x.a.soft_cap);
  for (Index r = 0; r < x.rows(); ++r) {
    for (Index j = 0; j < x.keys; ++j) scores[r * x.a.n_k + j] *= cap;
  }
}

template <typename Scalar>
void scores_backward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* d_scores,
                     const ScoreGradients<Scalar>& d) {
  if (d.d_distance_bias != nullptr) {
    Scalar* table = d.d_distance_bias + x.b * x.a.heads * x.a.distances();
    for (Index i = x.begin; i < x.end; ++i) {
      const Scalar* row = d_scores + (i - x.begin) * x.a.n_k;
      Scalar* bias = table + x.bias_at(i);
      for (Index j = 0; j < x.keys; ++j) bias[j] += row[j];
    }
  }
  if (x.a.soft_cap != 0) soft_cap_backward(x, own, d_scores);
  if (x.a.score_weight == nullptr) {
    dot_scores_backward(x, d_scores, d.dq, d.dk);
  } else {
    additive_scores_backward(x, own, d_scores, d);
  }
}

template <typename Scalar>
void add_distance_bias(const Block<Scalar>& x, Index i, Index end, Scalar* scores) {
  if (x.a.distance_bias == nullptr) return;
  constexpr Scalar kForbidden = -std::numeric_limits<Scalar>::infinity();
  constexpr Scalar kLowest = std::numeric_limits<Scalar>::lowest();
  const Scalar* bias = x.a.distance_bias + x.bias_at(i);
  for (Index j = 0; j < end; ++j) {
    scores[j] = bias[j] <= kLowest ? kForbidden : scores[j] + bias[j];
  }
}

template void scores_forward(const Block<float>&, const Scratch<float>&, float*);
template void scores_forward(const Block<double>&, const Scratch<double>&, double*);
template void scores_backward(const Block<float>&, const Scratch<float>&, float*,
                              const ScoreGradients<float>&);
template void scores_backward(const Block<double>&, const Scratch<double>&, double*,
                              const ScoreGradients<double>&);
template void add_distance_bias(const Block<float>&, Index, Index, float*);
template void add_distance_bias(const Block<double>&, Index, Index, double*);

}  // namespace tapehead::kernels::detail
