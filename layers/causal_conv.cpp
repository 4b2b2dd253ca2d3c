#include "layers/causal_conv.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/ops/add.h"
#include "autograd/ops/concat.h"
#include "autograd/ops/conv1d.h"
#include "autograd/ops/slice.h"

namespace tapehead {

template <typename Scalar>
CausalConv<Scalar>::CausalConv(const Builder<Scalar>& at, Index in, Index out, Index kernel_size,
                               Index dilation, bool bias)
    : weight_(&at.conv_weight("weight", out, in, kernel_size)),
      kernel_size_(kernel_size),
      dilation_(dilation) {
  if (bias) bias_ = &at.linear_bias("bias", out, in * kernel_size);
}

template <typename Scalar>
Var<Scalar> CausalConv<Scalar>::convolve(const Var<Scalar>& x, Index left) const {
  Tape<Scalar>& tape = x.tape();
  const typename Tape<Scalar>::Scope scope(tape, weight_->name());
  const Conv1dOptions options{dilation_, left, 0};
  if (bias_ == nullptr) return conv1d(x, tape.parameter(*weight_), options);
  return conv1d(x, tape.parameter(*weight_), tape.parameter(*bias_), options);
}

template <typename Scalar>
Var<Scalar> CausalConv<Scalar>::forward(const Var<Scalar>& x) const {
  return convolve(x, window_length());
}

template <typename Scalar>
Var<Scalar> CausalConv<Scalar>::forward_cached(const Var<Scalar>& x, Tensor<Scalar>& window) const {
  check_rank("conv", "x", x.shape(), 3);
  const Index past = window_length(), n = x.dim(1);
  const Var<Scalar> all = concat({x.tape().leaf(window), x}, 1);
  window = slice(all, 1, n, n + past).value().clone();
  return convolve(all, 0);
}

template <typename Scalar>
ConvBlock<Scalar>::ConvBlock(const Builder<Scalar>& at, const ConvBlockConfig& config)
    : config_(config),
      norm_(at / "norm", config.norm_kind, config.d_model, config.bias),
      conv_(at / "conv", config.d_model, config.d_ff, config.kernel_size, config.dilation,
            config.bias),
      dropout1_(at / "dropout1", config.dropout),
      fc_(at / "fc", config.d_ff, config.d_model, config.bias, WeightRole::kResidual),
      dropout2_(at / "dropout2", config.dropout) {}

template <typename Scalar>
template <typename Convolve>
Var<Scalar> ConvBlock<Scalar>::residual(const Var<Scalar>& x, const Convolve& convolve) const {
  const auto f = [&](const Var<Scalar>& z) {
    const Var<Scalar> hidden = activate(convolve(z), config_.activation);
    return dropout2_.forward(fc_.forward(dropout1_.forward(hidden)));
  };
  if (config_.norm == NormPlacement::kPre) return add(x, f(norm_.forward(x)));
  return norm_.forward(add(x, f(x)));
}

template <typename Scalar>
Var<Scalar> ConvBlock<Scalar>::forward(const Var<Scalar>& x) const {
  return residual(x, [&](const Var<Scalar>& z) { return conv_.forward(z); });
}

template <typename Scalar>
Var<Scalar> ConvBlock<Scalar>::forward_cached(const Var<Scalar>& x, Tensor<Scalar>& window) const {
  return residual(x, [&](const Var<Scalar>& z) { return conv_.forward_cached(z, window); });
}

template <typename Scalar>
Tensor<Scalar> ConvBlock<Scalar>::make_window() const {
  return Tensor<Scalar>({1, conv_.window_length(), config_.d_model});
}

template class CausalConv<float>;
template class CausalConv<double>;
template class ConvBlock<float>;
template class ConvBlock<double>;

}  // namespace tapehead
