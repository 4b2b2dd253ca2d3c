#include "autograd/ops/sum.h"

#include "autograd/ops/reduction.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> sum(const Var<Scalar>& x) {
  return detail::divided_sum(Op::sum, x, detail::reduce_all(x.shape()), Scalar(1));
}

template <typename Scalar>
Var<Scalar> sum(const Var<Scalar>& x, int axis, bool keepdim) {
  return detail::divided_sum(Op::sum, x, detail::reduce_axis(Op::sum, x.shape(), axis, keepdim),
                             Scalar(1));
}

template Var<float> sum(const Var<float>&);
template Var<double> sum(const Var<double>&);
template Var<float> sum(const Var<float>&, int, bool);
template Var<double> sum(const Var<double>&, int, bool);

}  // namespace tapehead
