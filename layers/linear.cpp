#include "layers/linear.h"

#include "autograd/ops/linear.h"
#include "autograd/ops/sigma_reparam.h"

namespace tapehead {

template <typename Scalar>
Linear<Scalar>::Linear(const Builder<Scalar>& at, Index in, Index out, bool bias, WeightRole role,
                       bool sigma_reparam)
    : weight_(&at.linear_weight("weight", out, in, role)) {
  if (bias) bias_ = &at.linear_bias("bias", out, in);
  if (sigma_reparam) gamma_ = &at.constant("gamma", {}, 1.0);
}

template <typename Scalar>
Var<Scalar> Linear<Scalar>::forward(const Var<Scalar>& x) const {
  Tape<Scalar>& tape = x.tape();
  const typename Tape<Scalar>::Scope scope(tape, weight_->name());
  Var<Scalar> weight = tape.parameter(*weight_);
  if (gamma_ != nullptr) weight = sigma_reparam(weight, tape.parameter(*gamma_));
  return bias_ == nullptr ? linear(x, weight) : linear(x, weight, tape.parameter(*bias_));
}

template class Linear<float>;
template class Linear<double>;

}  // namespace tapehead
