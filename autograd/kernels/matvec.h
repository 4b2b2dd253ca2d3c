#pragma once

#include "autograd/kernels/gemm.h"

namespace tapehead::kernels {

/// A product of one row, as decoding token by token has them: m = 1, so that c = alpha * a op(b) +
/// beta * c reads each number of b once and needs none of a matrix product's packing.
template <typename Scalar>
void matvec(const Gemm<Scalar>& product);

}  // namespace tapehead::kernels
