#pragma once

#include "autograd/ops/linear_activation.h"
#include "autograd/tape.h"
#include "layers/builder.h"
#include "layers/dropout.h"
#include "layers/linear.h"

namespace tapehead {

/// The activation as an op of its own, for where no affine map precedes it.
template <typename Scalar>
Var<Scalar> activate(const Var<Scalar>& x, Activation activation);

/// Position-wise feed-forward layer: y = dropout(activation(x W1^T + b1)) W2^T + b2
/// (Vaswani et al. 2017, equation 2).
///
/// x: (..., d_model) -> (..., d_model). Parameters: fc1.weight (d_ff, d_model), fc1.bias,
/// fc2.weight (d_model, d_ff), fc2.bias.
template <typename Scalar>
class FeedForward {
 public:
  FeedForward(const Builder<Scalar>& at, Index d_model, Index d_ff, Activation activation,
              bool bias = true, double dropout = 0.0);
  Var<Scalar> forward(const Var<Scalar>& x) const;

 private:
  Linear<Scalar> fc1_, fc2_;
  Activation activation_;
  Dropout<Scalar> dropout_;
};

}  // namespace tapehead
