#pragma once

#include "autograd/tensor.h"

namespace tapehead {

/// Rounded to float.
inline Tensor<float> to_float(const Tensor<double>& x) {
  Tensor<float> result(x.shape());
  for (Index i = 0; i < x.size(); ++i) result[i] = static_cast<float>(x[i]);
  return result;
}

}  // namespace tapehead
