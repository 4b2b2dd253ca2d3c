#include "autograd/ops/mask_rows.h"

#include <algorithm>

#include "autograd/check.h"

namespace tapehead {

namespace {

// Forward and backward alike: y_r = x_r or zeros.
template <typename Scalar>
Tensor<Scalar> kept_rows(Tape<Scalar>& tape, const Tensor<Scalar>& x,
                         const Tensor<std::uint8_t>& keep) {
  const Index n = x.shape().row_length();
  Tensor<Scalar> y = tape.allocate(x.shape());
  for (Index r = 0; r < keep.size(); ++r) {
    if (keep[r] != 0) {
      std::copy_n(x.data() + r * n, n, y.data() + r * n);
    } else {
      std::fill_n(y.data() + r * n, n, Scalar(0));
    }
  }
  return y;
}

}  // namespace

template <typename Scalar>
Var<Scalar> mask_rows(const Var<Scalar>& x, const Tensor<std::uint8_t>& keep) {
  check_min_rank("mask_rows", "x", x.shape(), 1);
  check_same_shape("mask_rows", "keep", keep.shape(), "x without its last dimension",
                   x.shape().without_dim(x.rank() - 1));
  Tape<Scalar>& tape = x.tape();
  return tape.record(
      Op::mask_rows, kept_rows(tape, x.value(), keep), {x},
      [x, keep](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        t.add_grad(x, kept_rows(t, dy, keep));
      });
}

template Var<float> mask_rows(const Var<float>&, const Tensor<std::uint8_t>&);
template Var<double> mask_rows(const Var<double>&, const Tensor<std::uint8_t>&);

}  // namespace tapehead
