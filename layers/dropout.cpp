#include "layers/dropout.h"

#include <fmt/format.h>

#include "autograd/ops/dropout.h"
#include "base/error.h"

namespace tapehead {

template <typename Scalar>
Dropout<Scalar>::Dropout(const Builder<Scalar>& at, double p)
    : p_(p), layer_id_(at.next_layer_id()) {
  if (!(p >= 0.0 && p < 1.0)) {
    throw ValueError(fmt::format("{}: the probability {} must be in [0, 1)", at.path(), p));
  }
}

template <typename Scalar>
Var<Scalar> Dropout<Scalar>::forward(const Var<Scalar>& x) const {
  if (p_ == 0.0) return x;
  return dropout(x, p_, layer_id_);
}

template class Dropout<float>;
template class Dropout<double>;

}  // namespace tapehead
