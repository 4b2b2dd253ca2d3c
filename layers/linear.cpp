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
AffineMap<Scalar> Linear<Scalar>::on(Tape<Scalar>& tape) const {
  Var<Scalar> weight = tape.parameter(*weight_);
  if (gamma_ != nullptr) weight = sigma_reparam(weight, tape.parameter(*gamma_));
  return {weight, bias_ == nullptr ? Var<Scalar>() : tape.parameter(*bias_)};
}

template <typename Scalar>
Var<Scalar> Linear<Scalar>::forward(const Var<Scalar>& x) const {
  const typename Tape<Scalar>::Scope scope(x.tape(), weight_->name());
  const AffineMap<Scalar> map = on(x.tape());
  return linear(x, map.weight, map.bias);
}

template <typename Scalar>
Var<Scalar> Linear<Scalar>::forward(const Var<Scalar>& x, Activation activation) const {
  const typename Tape<Scalar>::Scope scope(x.tape(), weight_->name());
  const AffineMap<Scalar> map = on(x.tape());
  return linear_activation(x, map.weight, map.bias, activation);
}

template class Linear<float>;
template class Linear<double>;

}  // namespace tapehead
