#pragma once

#include "autograd/ops/attention.h"

namespace tapehead {

/// What attention_with_weights() computes without a distance bias, put together from small ops:
/// reshape, permute, matmul, scale, tanh, add, softmax, dropout. To read, and to test the fused op
/// against; it keeps several arrays of (batch, heads, n_q, n_k) numbers on the tape.
template <typename Scalar>
AttentionResult<Scalar> attention_composed(const Var<Scalar>& q, const Var<Scalar>& k,
                                           const Var<Scalar>& v, const AttentionOptions& options);

}  // namespace tapehead
