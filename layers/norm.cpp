#include "layers/norm.h"

#include "autograd/ops/layer_norm.h"
#include "autograd/ops/rms_norm.h"

namespace tapehead {

template <typename Scalar>
LayerNorm<Scalar>::LayerNorm(const Builder<Scalar>& at, Index width, bool bias, double eps)
    : weight_(&at.constant("weight", {width}, 1.0)), eps_(eps) {
  if (bias) bias_ = &at.constant("bias", {width}, 0.0);
}

template <typename Scalar>
Var<Scalar> LayerNorm<Scalar>::forward(const Var<Scalar>& x) const {
  Tape<Scalar>& tape = x.tape();
  const typename Tape<Scalar>::Scope scope(tape, weight_->name());
  if (bias_ == nullptr) return layer_norm(x, tape.parameter(*weight_), eps_);
  return layer_norm(x, tape.parameter(*weight_), tape.parameter(*bias_), eps_);
}

template <typename Scalar>
RmsNorm<Scalar>::RmsNorm(const Builder<Scalar>& at, Index width, double eps)
    : weight_(&at.constant("weight", {width}, 1.0)), eps_(eps) {}

template <typename Scalar>
Var<Scalar> RmsNorm<Scalar>::forward(const Var<Scalar>& x) const {
  Tape<Scalar>& tape = x.tape();
  const typename Tape<Scalar>::Scope scope(tape, weight_->name());
  return rms_norm(x, tape.parameter(*weight_), eps_);
}

namespace {

template <typename Scalar>
std::variant<LayerNorm<Scalar>, RmsNorm<Scalar>> make_norm(const Builder<Scalar>& at, NormKind kind,
                                                           Index width, bool bias,
                                                           std::optional<double> eps) {
  if (kind == NormKind::kRms) {
    return RmsNorm<Scalar>(at, width, eps.value_or(RmsNorm<Scalar>::kEps));
  }
  return LayerNorm<Scalar>(at, width, bias, eps.value_or(LayerNorm<Scalar>::kEps));
}

}  // namespace

template <typename Scalar>
Norm<Scalar>::Norm(const Builder<Scalar>& at, NormKind kind, Index width, bool bias,
                   std::optional<double> eps)
    : norm_(make_norm(at, kind, width, bias, eps)) {}

template <typename Scalar>
Var<Scalar> Norm<Scalar>::forward(const Var<Scalar>& x) const {
  return std::visit([&x](const auto& norm) { return norm.forward(x); }, norm_);
}

template class LayerNorm<float>;
template class LayerNorm<double>;
template class RmsNorm<float>;
template class RmsNorm<double>;
template class Norm<float>;
template class Norm<double>;

}  // namespace tapehead
