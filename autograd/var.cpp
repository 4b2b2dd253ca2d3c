#include <fmt/format.h>

#include "autograd/tape.h"
#include "base/error.h"

namespace tapehead {

template <typename Scalar>
detail::Node<Scalar>& Var<Scalar>::node() const {
  if (!defined()) throw StateError("var: this Var is empty; it was never given a value on a tape");
  if (ref_.get()->tape == nullptr) {
    throw StateError(fmt::format(
        "var: stale Var (op '{}', shape {}): its tape was cleared or destroyed; a Var serves one "
        "pass, so compute it anew",
        ref_.get()->name, ref_.get()->shape.str()));
  }
  return *ref_.get();
}

template <typename Scalar>
const Shape& Var<Scalar>::shape() const {
  return node().shape;
}

template <typename Scalar>
const Tensor<Scalar>& Var<Scalar>::value() const {
  const auto& n = node();
  if (!n.value.defined()) {
    throw StateError(fmt::format(
        "var: the value of op '{}', shape {}, was freed by backward; hold a Var of it before "
        "backward to keep it",
        n.name, n.shape.str()));
  }
  return n.value;
}

template <typename Scalar>
Tensor<Scalar> Var<Scalar>::grad() const {
  const auto& n = node();
  if (n.tape->phase_ != Tape<Scalar>::Phase::kDone) {
    throw StateError(fmt::format("grad: {} (op '{}', shape {})",
                                 n.tape->phase_ == Tape<Scalar>::Phase::kForward
                                     ? "backward has not run yet"
                                     : "backward was stopped by an error, so gradients are partial",
                                 n.name, n.shape.str()));
  }
  if (!n.requires_grad || !n.keeps_grad) {
    throw StateError(fmt::format(
        "grad: no gradient was kept for op '{}', shape {}; {}", n.name, n.shape.str(),
        n.requires_grad ? "call tape.keep_grad(var) before backward" : "it requires no gradient"));
  }
  return n.grad.defined() ? n.grad : Tensor<Scalar>(n.shape);
}

template class Var<float>;
template class Var<double>;

}  // namespace tapehead
