#pragma once

#include "autograd/ops/add.h"
#include "autograd/ops/div.h"
#include "autograd/ops/mul.h"
#include "autograd/ops/neg.h"
#include "autograd/ops/scale.h"
#include "autograd/ops/sub.h"

// Arithmetic on Vars in the usual notation: elementwise, with NumPy's broadcasting.

namespace tapehead {

template <typename Scalar>
Var<Scalar> operator+(const Var<Scalar>& a, const Var<Scalar>& b) {
  return add(a, b);
}
template <typename Scalar>
Var<Scalar> operator-(const Var<Scalar>& a, const Var<Scalar>& b) {
  return sub(a, b);
}
template <typename Scalar>
Var<Scalar> operator*(const Var<Scalar>& a, const Var<Scalar>& b) {
  return mul(a, b);
}
template <typename Scalar>
Var<Scalar> operator/(const Var<Scalar>& a, const Var<Scalar>& b) {
  return div(a, b);
}
template <typename Scalar>
Var<Scalar> operator-(const Var<Scalar>& x) {
  return neg(x);
}
template <typename Scalar>
Var<Scalar> operator*(const Var<Scalar>& x, double factor) {
  return scale(x, factor);
}
template <typename Scalar>
Var<Scalar> operator*(double factor, const Var<Scalar>& x) {
  return scale(x, factor);
}

}  // namespace tapehead
