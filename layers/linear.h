#pragma once

#include "autograd/ops/linear_activation.h"
#include "autograd/ops/packed_linear.h"
#include "autograd/tape.h"
#include "layers/builder.h"

namespace tapehead {

/// y = x W^T + b on the last axis. With `sigma_reparam`, W is gamma / sigma(W) times the weight, so
/// that its spectral norm is gamma (see the op).
///
/// x: (..., in) -> (..., out). Parameters: weight (out, in), bias (out) and gamma () if asked for.
template <typename Scalar>
class Linear {
 public:
  Linear(const Builder<Scalar>& at, Index in, Index out, bool bias = true,
         WeightRole role = WeightRole::kPlain, bool sigma_reparam = false);

  Var<Scalar> forward(const Var<Scalar>& x) const;
  /// What the op is given: the weight as it is used, and the bias.
  AffineMap<Scalar> on(Tape<Scalar>& tape) const;
  /// activation(x W^T + b), as one op.
  Var<Scalar> forward(const Var<Scalar>& x, Activation activation) const;

 private:
  const Parameter<Scalar>* weight_;
  const Parameter<Scalar>* bias_ = nullptr;
  const Parameter<Scalar>* gamma_ = nullptr;
};

}  // namespace tapehead
