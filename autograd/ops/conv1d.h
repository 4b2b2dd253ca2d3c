#pragma once

#include "autograd/tape.h"

namespace tapehead {

struct Conv1dOptions {
  Index dilation = 1;         ///< time steps from one tap to the next
  Index left = 0, right = 0;  ///< zeros before the first and after the last time step

  /// Output t sees the inputs up to t only, and there are as many outputs as inputs.
  static Conv1dOptions causal(Index kernel_size, Index dilation = 1) {
    return {dilation, dilation * (kernel_size - 1), 0};
  }
};

/// Convolution over time (a correlation, as everywhere in deep learning).
///
///   y_bto = sum_cj W_ocj x_b,s(t,j),c + b_o,  s(t, j) = t + j dilation - left
///   dx_bsc = sum_oj W_ocj dy_bto over the t with s(t, j) = s,
///   dW_ocj = sum_bt dy_bto x_b,s(t,j),c,  db_o = sum_bt dy_bto
///
/// x: (batch, n, in), 0 outside; weight: (out, in, kernel_size), as PyTorch's; bias: (out);
/// y: (batch, n + left + right - dilation (kernel_size - 1), out). The windows of x are laid side
/// by side, so that each of the sums is one matrix product. Throws ShapeError if the shapes do not
/// fit or x is shorter than the kernel, ValueError for options outside their range. Keeps for
/// backward: x, weight.
template <typename Scalar>
Var<Scalar> conv1d(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias,
                   const Conv1dOptions& options = {});

/// The same without a bias.
template <typename Scalar>
Var<Scalar> conv1d(const Var<Scalar>& x, const Var<Scalar>& weight,
                   const Conv1dOptions& options = {});

}  // namespace tapehead
