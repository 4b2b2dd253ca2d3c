#pragma once

#include <algorithm>

#include <omp.h>

#include "autograd/kernels/attention.h"

// What the files of the attention kernels share.

namespace tapehead::kernels::detail {

// Queries taken at a time: long enough for a matrix product's inner kernel, short enough that a
// block's scores stay in the cache and causal attention skips close to half of the work.
inline constexpr Index kQueryBlock = 64;

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
  // The distance bias of query i for key 0 onwards, in the table of one batch entry.
  Index bias_at(Index i) const { return h * a.distances() + a.n_q - 1 - i; }
};

// Scratch of one thread: a block's weights where they are not kept, their gradient, and the weights
// after dropout (later, in the backward pass, the scores if they are capped); for additive scores,
// the activations (n_k, d_k) of one query.
template <typename Scalar>
struct Scratch {
  Scalar* weights;
  Scalar* d_weights;
  Scalar* dropped;
  Scalar* activations;
};
inline constexpr Index kScratchBlocks = 3;

template <typename Scalar>
Index block_numbers(const Attention<Scalar>& a) {
  return std::min(kQueryBlock, a.n_q) * a.n_k;
}

template <typename Scalar>
Index scratch_numbers_of_a_thread(const Attention<Scalar>& a) {
  const Index activations = a.score_weight == nullptr ? 0 : a.n_k * a.d_k;
  return kScratchBlocks * block_numbers(a) + activations;
}

template <typename Scalar>
Scratch<Scalar> scratch_of_this_thread(const Attention<Scalar>& a, Scalar* scratch) {
  const Index size = block_numbers(a);
  if (a.threads > 1) scratch += omp_get_thread_num() * scratch_numbers_of_a_thread(a);
  return {scratch, scratch + size, scratch + 2 * size, scratch + kScratchBlocks * size};
}

}  // namespace tapehead::kernels::detail
