#include "layers/feed_forward.h"

#include "autograd/ops/gelu.h"
#include "autograd/ops/relu.h"
#include "autograd/ops/silu.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> activate(const Var<Scalar>& x, Activation activation) {
  switch (activation) {
    case Activation::kGelu:
      return gelu(x, GeluKind::exact);
    case Activation::kGeluTanh:
      return gelu(x, GeluKind::tanh);
    case Activation::kRelu:
      return relu(x);
    case Activation::kSilu:
      return silu(x);
  }
  return x;
}

template <typename Scalar>
FeedForward<Scalar>::FeedForward(const Builder<Scalar>& at, Index d_model, Index d_ff,
                                 Activation activation, bool bias, double dropout)
    : fc1_(at / "fc1", d_model, d_ff, bias),
      fc2_(at / "fc2", d_ff, d_model, bias, WeightRole::kResidual),
      activation_(activation),
      dropout_(at / "dropout", dropout) {}

template <typename Scalar>
Var<Scalar> FeedForward<Scalar>::forward(const Var<Scalar>& x) const {
  return fc2_.forward(dropout_.forward(fc1_.forward(x, activation_)));
}

template Var<float> activate(const Var<float>&, Activation);
template Var<double> activate(const Var<double>&, Activation);
template class FeedForward<float>;
template class FeedForward<double>;

}  // namespace tapehead
