#include "autograd/ops/mse_loss.h"

#include "autograd/check.h"
#include "autograd/kernels/reduce.h"

namespace tapehead {

namespace {

// scale * (a - b)
template <typename Scalar>
Tensor<Scalar> scaled_difference(Tape<Scalar>& tape, const Tensor<Scalar>& a,
                                 const Tensor<Scalar>& b, Scalar scale) {
  Tensor<Scalar> difference = tape.allocate(a.shape());
  Scalar* __restrict out = difference.data();
  for (Index i = 0; i < a.size(); ++i) out[i] = scale * (a[i] - b[i]);
  return difference;
}

template <typename Scalar>
Scalar mean_squared_difference(Tape<Scalar>& tape, const Tensor<Scalar>& a,
                               const Tensor<Scalar>& b) {
  if (a.size() == 0) return 0;
  const Tensor<Scalar> difference = scaled_difference(tape, a, b, Scalar(1));
  return kernels::dot(difference.data(), difference.data(), a.size()) /
         static_cast<Scalar>(a.size());
}

}  // namespace

template <typename Scalar>
Var<Scalar> mse_loss(const Var<Scalar>& x, const Var<Scalar>& target) {
  check_same_shape("mse_loss", "x", x.shape(), "target", target.shape());
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate({});
  y[0] = mean_squared_difference(tape, x.value(), target.value());
  return tape.record(
      Op::mse_loss, std::move(y), {x, target},
      [x, target](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        const Tensor<Scalar>& a = x.value();
        const Tensor<Scalar>& b = target.value();
        if (a.size() == 0) return;
        const Scalar scale = Scalar(2) / static_cast<Scalar>(a.size()) * dy[0];
        if (x.requires_grad()) t.add_grad(x, scaled_difference(t, a, b, scale));
        if (target.requires_grad()) t.add_grad(target, scaled_difference(t, b, a, scale));
      });
}

template Var<float> mse_loss(const Var<float>&, const Var<float>&);
template Var<double> mse_loss(const Var<double>&, const Var<double>&);

}  // namespace tapehead
