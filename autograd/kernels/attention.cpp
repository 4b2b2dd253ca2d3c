#include "autograd/kernels/attention.h"

#include <algorithm>

#include <omp.h>

#include "autograd/kernels/dropout.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/parallel.h"
#include "autograd/kernels/softmax.h"

namespace tapehead::kernels {

namespace {

// Queries taken at a time: long enough for a matrix product's inner kernel, short enough that a
// block's scores stay in the cache and causal attention skips close to half of the work.
constexpr Index kQueryBlock = 64;

// One block of queries of one head, and the numbers of each operand that it touches.
template <typename Scalar>
struct Block {
  const Attention<Scalar>& a;
  Index b, h, kv_head;
  Index begin, end;  // queries
  Index keys;        // seen by some query of the block; the rest is left out

  Index rows() const { return end - begin; }
  Index query_width() const { return a.heads * a.d_k; }
  Index key_width() const { return a.kv_heads * a.d_k; }
  Index value_width() const { return a.kv_heads * a.d_v; }
  Index out_width() const { return a.heads * a.d_v; }

  Index q_at() const { return (b * a.n_q + begin) * query_width() + h * a.d_k; }
  Index k_at() const { return b * a.n_k * key_width() + kv_head * a.d_k; }
  Index v_at() const { return b * a.n_k * value_width() + kv_head * a.d_v; }
  Index out_at() const { return (b * a.n_q + begin) * out_width() + h * a.d_v; }
  Index weights_at() const { return ((b * a.heads + h) * a.n_q + begin) * a.n_k; }
};

// Scratch of one thread: a block's weights where they are not kept, their gradient, and the weights
// after dropout.
template <typename Scalar>
struct Scratch {
  Scalar* weights;
  Scalar* d_weights;
  Scalar* dropped;
};
constexpr Index kScratchBlocks = 3;

template <typename Scalar>
Index block_numbers(const Attention<Scalar>& a) {
  return std::min(kQueryBlock, a.n_q) * a.n_k;
}

template <typename Scalar>
Scratch<Scalar> scratch_of_this_thread(const Attention<Scalar>& a, Scalar* scratch) {
  const Index size = block_numbers(a);
  if (a.threads > 1) scratch += omp_get_thread_num() * kScratchBlocks * size;
  return {scratch, scratch + size, scratch + 2 * size};
}

// Calls body(block, scratch) for every block of queries of the heads [first, last).
template <typename Scalar, typename Body>
void for_each_block_of(const Attention<Scalar>& a, Index b, Index first, Index last,
                       const Scratch<Scalar>& scratch, const Body& body) {
  for (Index h = first; h < last; ++h) {
    for (Index begin = 0; begin < a.n_q; begin += kQueryBlock) {
      const Index end = std::min(begin + kQueryBlock, a.n_q);
      const Index keys = a.mask->visible_end(b, end - 1, a.n_q, a.n_k);
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
    const Scratch<Scalar> own = scratch_of_this_thread(a, scratch);
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

// 1  scores = scale * q k^T
template <typename Scalar>
void scores_forward(const Block<Scalar>& x, Scalar* scores) {
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

// 2 and 3  weights = softmax(mask(scores)), in place
template <typename Scalar>
void masked_softmax(const Block<Scalar>& x, Scalar* scores) {
  for (Index i = x.begin; i < x.end; ++i) {
    Scalar* row = scores + (i - x.begin) * x.a.n_k;
    const Index end = x.a.mask->visible_end(x.b, i, x.a.n_q, x.a.n_k);
    x.a.mask->apply_row(x.b, x.h, i, end, row);
    softmax(row, row, end);
    std::fill(row + end, row + x.a.n_k, Scalar(0));
  }
}

// 1 to 3
template <typename Scalar>
void weights_forward(const Block<Scalar>& x, Scalar* weights) {
  scores_forward(x, weights);
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

// 1 backward: dq = scale * d_scores k, dk += scale * d_scores^T q
template <typename Scalar>
void scores_backward(const Block<Scalar>& x, const Scalar* d_scores, Scalar* dq, Scalar* dk) {
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

template <typename Scalar>
void zero_keys(const Attention<Scalar>& a, Scalar* dk) {
  std::fill_n(dk, a.batch * a.n_k * a.kv_heads * a.d_k, Scalar(0));
}

template <typename Scalar>
void zero_values(const Attention<Scalar>& a, Scalar* dv) {
  std::fill_n(dv, a.batch * a.n_k * a.kv_heads * a.d_v, Scalar(0));
}

}  // namespace

template <typename Scalar>
Index Attention<Scalar>::scratch_size() const {
  return kScratchBlocks * block_numbers(*this) * std::max(threads, 1);
}

template <typename Scalar>
void attention_forward(const Attention<Scalar>& a, Scalar* weights, Scalar* scratch, Scalar* out) {
  for_each_block(a, scratch, false, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    Scalar* block = weights == nullptr ? own.weights : weights + x.weights_at();
    weights_forward(x, block);
    values_forward(x, dropped_weights(x, block, own.dropped), out);
  });
}

template <typename Scalar>
void attention_backward(const Attention<Scalar>& a, const Scalar* weights, const Scalar* d_out,
                        Scalar* scratch, Scalar* dq, Scalar* dk, Scalar* dv) {
  zero_keys(a, dk);
  zero_values(a, dv);
  for_each_block(a, scratch, true, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    if (weights == nullptr) weights_forward(x, own.weights);
    const Scalar* block = weights == nullptr ? own.weights : weights + x.weights_at();
    values_backward(x, dropped_weights(x, block, own.dropped), d_out, dv);
    weights_backward(x, d_out, own.d_weights);
    dropout_backward(x, own.d_weights, own.dropped);
    softmax_rows_backward(x, block, own.d_weights, own.d_weights);
    scores_backward(x, own.d_weights, dq, dk);
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
                               const Scalar* d_weights, Scalar* scratch, Scalar* dq, Scalar* dk) {
  zero_keys(a, dk);
  for_each_block(a, scratch, true, [&](const Block<Scalar>& x, const Scratch<Scalar>& own) {
    softmax_rows_backward(x, weights + x.weights_at(), d_weights + x.weights_at(), own.d_weights);
    scores_backward(x, own.d_weights, dq, dk);
  });
}

template Index Attention<float>::scratch_size() const;
template void attention_forward(const Attention<float>&, float*, float*, float*);
template void attention_backward(const Attention<float>&, const float*, const float*, float*,
                                 float*, float*, float*);
template void attention_values_backward(const Attention<float>&, const float*, const float*, float*,
                                        float*, float*);
template void attention_scores_backward(const Attention<float>&, const float*, const float*, float*,
                                        float*, float*);
template Index Attention<double>::scratch_size() const;
template void attention_forward(const Attention<double>&, double*, double*, double*);
template void attention_backward(const Attention<double>&, const double*, const double*, double*,
                                 double*, double*, double*);
template void attention_values_backward(const Attention<double>&, const double*, const double*,
                                        double*, double*, double*);
template void attention_scores_backward(const Attention<double>&, const double*, const double*,
                                        double*, double*, double*);

}  // namespace tapehead::kernels
