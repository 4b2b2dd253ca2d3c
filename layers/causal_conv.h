#pragma once

#include "layers/builder.h"
#include "layers/dropout.h"
#include "layers/feed_forward.h"
#include "layers/linear.h"
#include "layers/norm.h"

namespace tapehead {

/// A causal convolution over time: output t sees the inputs t, t - dilation, ..., and nothing
/// later.
///
/// x: (batch, n, in) -> (batch, n, out). Parameters: weight (out, in, kernel_size), whose last tap
/// is that of time t, bias (out) if asked for.
template <typename Scalar>
class CausalConv {
 public:
  CausalConv(const Builder<Scalar>& at, Index in, Index out, Index kernel_size, Index dilation,
             bool bias = true);

  Var<Scalar> forward(const Var<Scalar>& x) const;
  /// The same for time steps that follow those before: `window` (batch, window_length(), in) holds
  /// the last of them, zeros before the first, and is moved on.
  Var<Scalar> forward_cached(const Var<Scalar>& x, Tensor<Scalar>& window) const;
  Index window_length() const { return dilation_ * (kernel_size_ - 1); }

 private:
  Var<Scalar> convolve(const Var<Scalar>& x, Index left) const;

  const Parameter<Scalar>* weight_;
  const Parameter<Scalar>* bias_ = nullptr;
  Index kernel_size_, dilation_;
};

struct ConvBlockConfig {
  Index d_model = 0;
  Index d_ff = 0;  ///< channels of the convolution
  Index kernel_size = 3;
  Index dilation = 1;
  NormPlacement norm = NormPlacement::kPre;
  NormKind norm_kind = NormKind::kLayer;
  Activation activation = Activation::kGelu;
  bool bias = true;
  double dropout = 0.0;
};

/// A feed-forward layer that sees several time steps, in a residual branch (Bai et al. 2018, whose
/// temporal convolutional network has two convolutions in it):
///
///   f(x) = dropout(activation(conv(x))) W^T + b
///   pre-norm   y = x + dropout(f(norm(x)))       post-norm   y = norm(x + dropout(f(x)))
///
/// x: (batch, n, d_model) -> the same. Parameters: norm, conv, fc.
template <typename Scalar>
class ConvBlock {
 public:
  ConvBlock(const Builder<Scalar>& at, const ConvBlockConfig& config);

  Var<Scalar> forward(const Var<Scalar>& x) const;
  /// The block on the time steps that follow those in `window`; see CausalConv.
  Var<Scalar> forward_cached(const Var<Scalar>& x, Tensor<Scalar>& window) const;
  /// The window of one sequence before its first time step.
  Tensor<Scalar> make_window() const;

 private:
  // The residual branch around `convolve`, which maps x to its convolution.
  template <typename Convolve>
  Var<Scalar> residual(const Var<Scalar>& x, const Convolve& convolve) const;

  ConvBlockConfig config_;
  Norm<Scalar> norm_;
  CausalConv<Scalar> conv_;
  Dropout<Scalar> dropout1_;
  Linear<Scalar> fc_;
  Dropout<Scalar> dropout2_;
};

}  // namespace tapehead
