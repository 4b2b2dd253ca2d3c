#pragma once

#include "base/types.h"

namespace tapehead::kernels {

// Elementwise functions on arrays, vectorised for float and double. The result for one number does
// not depend on where in the array it stands (a tail is padded to a whole vector), so bits do not
// change when rows are cut differently. y may be x.

/// Results below the smallest normal number are 0; so is exp(-inf).
template <typename Scalar>
void exp(const Scalar* x, Scalar* y, Index n);
template <typename Scalar>
void log(const Scalar* x, Scalar* y, Index n);
template <typename Scalar>
void sqrt(const Scalar* x, Scalar* y, Index n);
template <typename Scalar>
void tanh(const Scalar* x, Scalar* y, Index n);
template <typename Scalar>
void erf(const Scalar* x, Scalar* y, Index n);
/// 1 / (1 + exp(-x)); no overflow for any x.
template <typename Scalar>
void sigmoid(const Scalar* x, Scalar* y, Index n);

}  // namespace tapehead::kernels
