#pragma once

#include <optional>
#include <variant>

#include "autograd/tape.h"
#include "layers/builder.h"
#include "layers/norm_kind.h"

namespace tapehead {

/// y = (x - mean) / sqrt(var + eps) * weight + bias over the last axis (Ba et al. 2016).
/// Parameters: weight (width), bias (width) if asked for.
template <typename Scalar>
class LayerNorm {
 public:
  static constexpr double kEps = 1e-5;  // PyTorch's default

  LayerNorm(const Builder<Scalar>& at, Index width, bool bias = true, double eps = kEps);
  Var<Scalar> forward(const Var<Scalar>& x) const;

 private:
  const Parameter<Scalar>* weight_;
  const Parameter<Scalar>* bias_ = nullptr;
  double eps_;
};

/// y = x / sqrt(mean(x^2) + eps) * weight over the last axis (Zhang & Sennrich 2019).
/// Parameters: weight (width).
template <typename Scalar>
class RmsNorm {
 public:
  static constexpr double kEps = 1e-6;  // that of Llama's models

  RmsNorm(const Builder<Scalar>& at, Index width, double eps = kEps);
  Var<Scalar> forward(const Var<Scalar>& x) const;

 private:
  const Parameter<Scalar>* weight_;
  double eps_;
};

/// The norm that a model's options ask for. Without `eps`, the norm's own default holds.
template <typename Scalar>
class Norm {
 public:
  Norm(const Builder<Scalar>& at, NormKind kind, Index width, bool bias,
       std::optional<double> eps = {});
  Var<Scalar> forward(const Var<Scalar>& x) const;

 private:
  std::variant<LayerNorm<Scalar>, RmsNorm<Scalar>> norm_;
};

}  // namespace tapehead
