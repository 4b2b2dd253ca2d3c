#pragma once

#include <span>

#include "base/types.h"

// Numbers that describe what a softmax did to one row of scores. Sums are made in double, in the
// order of the row.

namespace tapehead {

/// -sum_i p_i ln p_i, in nats; 0 ln 0 = 0.
template <typename Scalar>
double entropy(std::span<const Scalar> weights);

/// The largest number; NaN for an empty row.
template <typename Scalar>
double largest(std::span<const Scalar> numbers);

/// sqrt(sum_i x_i^2)
template <typename Scalar>
double euclidean_norm(std::span<const Scalar> numbers);

/// sum_i p_i^2: 1 for one weight of 1, 1/n for n equal ones.
template <typename Scalar>
double sum_of_squares(std::span<const Scalar> weights);

/// ||diag(p) - p p^T||_F, the Frobenius norm of softmax's Jacobian at the weights p:
///
///   sum_i p_i^2 (1 - p_i)^2 + 2 sum_{i<j} p_i^2 p_j^2      its square
///
/// (the shorter sum p^2 - 2 sum p^3 + (sum p^2)^2 loses all digits where one weight is all but 1).
/// At most 1/2, for two equal weights.
template <typename Scalar>
double softmax_jacobian_norm(std::span<const Scalar> weights);

}  // namespace tapehead
