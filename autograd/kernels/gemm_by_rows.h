#pragma once

#include "autograd/kernels/gemm.h"

namespace tapehead::kernels {

/// The product row by row of c, reading the matrices where they lie: for products of few rows, as
/// decoding token by token has them, and for those so small that packing costs more than it saves.
template <typename Scalar>
void gemm_by_rows(const Gemm<Scalar>& product);

/// True where gemm_by_rows() is faster than a library (measured).
template <typename Scalar>
bool suits_gemm_by_rows(const Gemm<Scalar>& product);

}  // namespace tapehead::kernels
