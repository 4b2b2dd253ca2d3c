#include "autograd/ops/mean.h"

#include "autograd/ops/reduction.h"

namespace tapehead {

namespace {

template <typename Scalar>
Var<Scalar> mean_over(const Var<Scalar>& x, const detail::Reduction& over) {
  detail::check_not_empty(Op::mean, x.shape(), over);
  return detail::divided_sum(Op::mean, x, over, static_cast<Scalar>(over.view.length));
}

}  // namespace

template <typename Scalar>
Var<Scalar> mean(const Var<Scalar>& x) {
  return mean_over(x, detail::reduce_all(x.shape()));
}

template <typename Scalar>
Var<Scalar> mean(const Var<Scalar>& x, int axis, bool keepdim) {
  return mean_over(x, detail::reduce_axis(Op::mean, x.shape(), axis, keepdim));
}

template Var<float> mean(const Var<float>&);
template Var<double> mean(const Var<double>&);
template Var<float> mean(const Var<float>&, int, bool);
template Var<double> mean(const Var<double>&, int, bool);

}  // namespace tapehead
