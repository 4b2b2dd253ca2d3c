#include "autograd/kernels/attention.h"

#include <algorithm>
#include <limits>

#include "autograd/kernels/attention_block.h"
#include "autograd/kernels/attention_scores.h"
#include "autograd/kernels/dropout.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/softmax.h"
#include "base/parallel.h"

namespace tapehead::kernels {

namespace {

using detail::Block;
using detail::kQueryBlock;
using detail::Scratch;

// Calls body(block, scratch) for every block of queries of the heads [first, last).
template <typename Scalar, typename Body>
void for_each_block_of(const Attention<Scalar>& a, Index b, Index first, Index last,
                       const Scratch<Scalar>& scratch, const Body& body) {
  for (Index h = first; h < last; ++h) {
    for (Index begin = 0; begin < a.n_q; begin += kQueryBlock) {
      const Index end = std::min(begin + kQueryBlock, a.n_q);
      const Index keys = a.mask.visible_end(b, end - 1, a.n_q, a.n_k);
      body(Block<Scalar>{a, b, h, h / (a.heads / a.kv_heads), begin, end, keys}, scratch);
    }
  }
}

// Calls body(block, scratch) for every block of queries, heads in parallel. With `shared_keys`, the
// heads that share a key/value head belong to one task, so that no two threads add to one dk or dv.
template <typename Scalar, typename Body>
void for_each_block(const Attention<Scalar>& a, Scalar* scratch, bool shared_keys,
                    const Body& body) {
  const Index together = shared_keys ? a.heads / a.kv_heads : 1;
  const Index tasks = a.heads / together;
  const Index chunk = units_per_chunk(together * a.n_q * a.n_k * (a.d_k + a.d_v));
  parallel_chunks(a.threads, a.batch * tasks, chunk, [&](Index begin, Index end) {
    const Scratch<Scalar> own = detail::scratch_of_this_thread(a, scratch);
    for (Index task = begin; task < end; ++task) {
      const Index first = task % tasks * together;
      for_each_block_of(a, task / tasks, first, first + together, own, body);
    }
  });
}

// The weights of a block after dropout: `weights` itself where there is none. The random numbers
// are named by the element's index in the whole batch's (batch, heads, n_q, n_k) array.
template <typename Scalar>
const Scalar* dropped_weights(const Block<Scalar>& x, const Scalar* weights, Scalar* dropped) {
  const Attention<Scalar>& a = x.a;
  if (a.dropout.probability == 0) return weights;
  const Index first = x.weights_at() + a.dropout.first_row * a.heads * a.n_q * a.n_k;
  for (Index r = 0; r < x.rows(); ++r) {
    Scalar* row = dropped + r * a.n_k;
    dropout_mask(a.dropout.key, first + r * a.n_k, x.keys, a.dropout.probability, row);
    for (Index j = 0; j < x.keys; ++j) row[j] *= weights[r * a.n_k + j];
  }
  return dropped;
}

// 2  row = mask(row + bias) for the scores of query i, in place; returns the end of the keys that
// causality and lengths let it see, behind which nothing is touched.
template <typename Scalar>
Index mask_row(const Block<Scalar>& x, Index i, Scalar* row) {
  const Index end = x.a.mask.visible_end(x.b, i, x.a.n_q, x.a.n_k);
  detail::add_distance_bias(x, i, end, row);
  x.a.mask.apply_row(x.b, x.h, i, end, row);
  return end;
}

// 2 and 3  weights = softmax(mask(scores + bias)), in place
template <typename Scalar>
void masked_softmax(const Block<Scalar>& x, Scalar* scores) {
  for (Index i = x.begin; i < x.end; ++i) {
    Scalar* row = scores + (i - x.begin) * x.a.n_k;
    const Index end = mask_row(x, i, row);
    softmax(row, row, end);
    std::fill(row + end, row + x.a.n_k, Scalar(0));
  }
}

// 1 to 3
template <typename Scalar>
void weights_forward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* weights) {
  detail::scores_forward(x, own, weights);
  masked_softmax(x, weights);
}

// 4  out = weights v
template <typename Scalar>
void values_forward(const Block<Scalar>& x, const Scalar* weights, Scalar* out) {
  gemm(Gemm<Scalar>{.m = x.rows(),
                    .n = x.a.d_v,
                    .k = x.keys,
                    .a = weights,
                    .lda = x.a.n_k,
                    .b = x.a.v + x.v_at(),
                    .ldb = x.value_width(),
                    .c = out + x.out_at(),
                    .ldc = x.out_width()});
}

// 4 backward, weights: d_weights = dropout(d_out v^T)
template <typename Scalar>
void weights_backward(const Block<Scalar>& x, const Scalar* d_out, Scalar* d_weights) {
  gemm(Gemm<Scalar>{.m = x.rows(),
                    .n = x.keys,
                    .k = x.a.d_v,
                    .a = d_out + x.out_at(),
                    .lda = x.out_width(),
                    .b = x.a.v + x.v_at(),
                    .ldb = x.value_width(),
                    .transpose_b = true,
                    .c = d_weights,
                    .ldc = x.a.n_k});
}

// 4 backward, values: dv += weights^T d_out
template <typename Scalar>
void values_backward(const Block<Scalar>& x, const Scalar* weights, const Scalar* d_out,
                     Scalar* dv) {
  gemm(Gemm<Scalar>{.m = x.keys,
                    .n = x.a.d_v,
                    .k = x.rows(),
                    .a = weights,
                    .lda = x.a.n_k,
                    .transpose_a = true,
                    .b = d_out + x.out_at(),
                    .ldb = x.out_width(),
                    .c = dv + x.v_at(),
                    .ldc = x.value_width(),
                    .beta = Scalar(1)});
}

// 3 and 2 backward: d_scores from d_weights, which may be the same memory. The additive mask is a
// constant and passes the gradient on; what is forbidden has weight 0, and so gradient 0.
template <typename Scalar>
void softmax_rows_backward(const Block<Scalar>& x, const Scalar* weights, const Scalar* d_weights,
                           Scalar* d_scores) {
  for (Index r = 0; r < x.rows(); ++r) {
    const Index at = r * x.a.n_k;
    softmax_backward(weights + at, d_weights + at, d_scores + at, x.keys);
  }
}

// For the weights after dropout, 4 backward must undo nothing but the mask: d_weights *= mask.
template <typename Scalar>
void dropout_backward(const Block<Scalar>& x, Scalar* d_weights, Scalar* mask) {
  const Attention<Scalar>& a = x.a;
  if (a.dropout.probability == 0) return;
  const Index first = x.weights_at() + a.dropout.first_row * a.heads * a.n_q * a.n_k;
  for (Index r = 0; r < x.rows(); ++r) {
    dropout_mask(a.dropout.key, first + r * a.n_k, x.keys, a.dropout.probability, mask);
    for (Index j = 0; j < x.keys; ++j) d_weights[r * a.n_k + j] *= mask[j];
  }
}

// Those that the blocks add to.
template <typename Scalar>
void zero_score_gradients(const Attention<Scalar>& a, const ScoreGradients<Scalar>& d) {
  std::fill_n(d.dk, a.batch * a.n_k * a.kv_heads * a.d_k, Scalar(0));
  if (d.d_score_weight != nullptr) {
    std::fill_n(d.d_score_weight, a.batch * a.heads * a.d_k, Scalar(0));
  }
  if (d.d_distance_bias != nullptr) {
    std::fill_n(d.d_distance_bias, a.batch * a.heads * a.distances(), Scalar(0));
  }
}

template <typename Scalar>
void zero_values(const Attention<Scalar>& a, Scalar* dv) {
  std::fill_n(dv, a.batch * a.n_k * a.kv_heads * a.d_v, Scalar(0));
}

}  // namespace

template <typename Scalar>
Index Attention<Scalar>::scratch_size() const {
  return detail::scratch_numbers_of_a_thread(*this) * std::max(threads, 1);
}

template <typename Scalar>
void attention_masked_scores(const Attention<Scalar>& a, Scalar* scratch, Scalar* scores) {
  for_each_block(a, scratch, false, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    Scalar* block = scores + x.weights_at();
    detail::scores_forward(x, own, block);
    for (Index i = x.begin; i < x.end; ++i) {
      Scalar* row = block + (i - x.begin) * a.n_k;
      const Index end = mask_row(x, i, row);
      std::fill(row + end, row + a.n_k, -std::numeric_limits<Scalar>::infinity());
    }
  });
}

template <typename Scalar>
void attention_forward(const Attention<Scalar>& a, Scalar* weights, Scalar* scratch, Scalar* out) {
  for_each_block(a, scratch, false, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    Scalar* block = weights == nullptr ? own.weights : weights + x.weights_at();
    weights_forward(x, own, block);
    values_forward(x, dropped_weights(x, block, own.dropped), out);
  });
}

template <typename Scalar>
void attention_backward(const Attention<Scalar>& a, const Scalar* weights, const Scalar* d_out,
                        Scalar* scratch, const ScoreGradients<Scalar>& d, Scalar* dv) {
  zero_score_gradients(a, d);
  zero_values(a, dv);
  for_each_block(a, scratch, true, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    if (weights == nullptr) weights_forward(x, own, own.weights);
    const Scalar* block = weights == nullptr ? own.weights : weights + x.weights_at();
    values_backward(x, dropped_weights(x, block, own.dropped), d_out, dv);
    weights_backward(x, d_out, own.d_weights);
    dropout_backward(x, own.d_weights, own.dropped);
    softmax_rows_backward(x, block, own.d_weights, own.d_weights);
    detail::scores_backward(x, own, own.d_weights, d);
  });
}

template <typename Scalar>
void attention_values_backward(const Attention<Scalar>& a, const Scalar* weights,
                               const Scalar* d_out, Scalar* scratch, Scalar* d_weights,
                               Scalar* dv) {
  zero_values(a, dv);
  for_each_block(a, scratch, true, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    const Scalar* block = weights + x.weights_at();
    Scalar* d_block = d_weights + x.weights_at();
    values_backward(x, dropped_weights(x, block, own.dropped), d_out, dv);
    weights_backward(x, d_out, d_block);
    dropout_backward(x, d_block, own.dropped);
    for (Index r = 0; r < x.rows(); ++r) {  // no query of the block sees these keys
      std::fill(d_block + r * a.n_k + x.keys, d_block + (r + 1) * a.n_k, Scalar(0));
    }
  });
}

template <typename Scalar>
void attention_scores_backward(const Attention<Scalar>& a, const Scalar* weights,
                               const Scalar* d_weights, Scalar* scratch,
                               const ScoreGradients<Scalar>& d) {
  zero_score_gradients(a, d);
  for_each_block(a, scratch, true, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    softmax_rows_backward(x, weights + x.weights_at(), d_weights + x.weights_at(), own.d_weights);
    detail::scores_backward(x, own, own.d_weights, d);
  });
}

template Index Attention<float>::scratch_size() const;
template void attention_masked_scores(const Attention<float>&, float*, float*);
template void attention_forward(const Attention<float>&, float*, float*, float*);
template void attention_backward(const Attention<float>&, const float*, const float*, float*,
                                 const ScoreGradients<float>&, float*);
template void attention_values_backward(const Attention<float>&, const float*, const float*, float*,
                                        float*, float*);
template void attention_scores_backward(const Attention<float>&, const float*, const float*, float*,
                                        const ScoreGradients<float>&);
template Index Attention<double>::scratch_size() const;
template void attention_masked_scores(const Attention<double>&, double*, double*);
template void attention_forward(const Attention<double>&, double*, double*, double*);
template void attention_backward(const Attention<double>&, const double*, const double*, double*,
                                 const ScoreGradients<double>&, double*);
template void attention_values_backward(const Attention<double>&, const double*, const double*,
                                        double*, double*, double*);
template void attention_scores_backward(const Attention<double>&, const double*, const double*,
                                        double*, const ScoreGradients<double>&);

}  // namespace tapehead::kernels
