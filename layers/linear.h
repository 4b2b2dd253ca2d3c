#pragma once

#include "autograd/tape.h"
#include "layers/builder.h"

namespace tapehead {

/// y = x W^T + b on the last axis.
///
/// x: (..., in) -> (..., out). Parameters: weight (out, in), bias (out) if asked for.
template <typename Scalar>
class Linear {
 public:
  Linear(const Builder<Scalar>& at, Index in, Index out, bool bias = true,
         WeightRole role = WeightRole::kPlain);

  Var<Scalar> forward(const Var<Scalar>& x) const;

 private:
  const Parameter<Scalar>* weight_;
  const Parameter<Scalar>* bias_ = nullptr;
};

}  // namespace tapehead
