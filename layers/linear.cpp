#include "layers/linear.h"

#include "autograd/ops/linear.h"

namespace tapehead {

template <typename Scalar>
Linear<Scalar>::Linear(const Builder<Scalar>& at, Index in, Index out, bool bias, WeightRole role)
    : weight_(&at.linear_weight("weight", out, in, role)) {
  if (bias) bias_ = &at.linear_bias("bias", out, in);
}

template <typename Scalar>
Var<Scalar> Linear<Scalar>::forward(const Var<Scalar>& x) const {
  Tape<Scalar>& tape = x.tape();
  const typename Tape<Scalar>::Scope scope(tape, weight_->name());
  if (bias_ == nullptr) return linear(x, tape.parameter(*weight_));
  return linear(x, tape.parameter(*weight_), tape.parameter(*bias_));
}

template class Linear<float>;
template class Linear<double>;

}  // namespace tapehead
