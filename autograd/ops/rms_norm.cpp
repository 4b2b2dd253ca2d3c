#include "autograd/ops/rms_norm.h"

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/columns.h"
#include "autograd/kernels/normalize.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kRowsPerChunk = 32;

template <typename Scalar>
void rms_norm_forward(const Tensor<Scalar>& x, const Tensor<Scalar>& weight, Scalar eps,
                      Tensor<Scalar>& y, Tensor<Scalar>& rstd, int threads) {
  const Index n = x.shape().row_length();
  parallel_chunks(threads, rstd.size(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      kernels::rms_norm(x.data() + r * n, weight.data(), eps, n, y.data() + r * n, &rstd[r]);
    }
  });
}

template <typename Scalar>
void rms_norm_backward(const Tensor<Scalar>& x, const Tensor<Scalar>& weight,
                       const Tensor<Scalar>& rstd, const Tensor<Scalar>& dy, Tensor<Scalar>& dx,
                       int threads) {
  const Index n = x.shape().row_length();
  parallel_chunks(threads, rstd.size(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      kernels::rms_norm_backward(x.data() + r * n, weight.data(), dy.data() + r * n, rstd[r], n,
                                 dx.data() + r * n);
    }
  });
}

template <typename Scalar>
void deliver_gradients(Tape<Scalar>& tape, const Var<Scalar>& x, const Var<Scalar>& weight,
                       const Tensor<Scalar>& rstd, const Tensor<Scalar>& dy) {
  tape.accumulate(weight, [&](Scalar* dw) {
    kernels::add_normalized_column_sums<Scalar>(dy.data(), x.value().data(), nullptr, rstd.data(),
                                                rstd.size(), dy.shape().row_length(), dw,
                                                tape.threads());
  });
  if (!x.requires_grad()) return;
  Tensor<Scalar> dx = tape.allocate(x.shape());
  rms_norm_backward(x.value(), weight.value(), rstd, dy, dx, tape.threads());
  tape.add_grad(x, dx);
}

}  // namespace

template <typename Scalar>
Var<Scalar> rms_norm(const Var<Scalar>& x, const Var<Scalar>& weight, double eps) {
  check_min_rank("rms_norm", "x", x.shape(), 1);
  check_same_shape("rms_norm", "weight", weight.shape(), "a row of x", {x.dim(-1)});
  if (!(eps >= 0)) throw ValueError(fmt::format("rms_norm: eps is {}; it must be >= 0", eps));
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> rstd = tape.allocate({x.shape().row_count()});
  Tensor<Scalar> y = tape.allocate(x.shape());
  rms_norm_forward(x.value(), weight.value(), static_cast<Scalar>(eps), y, rstd, tape.threads());
  return tape.record(
      Op::rms_norm, std::move(y), {x, weight},
      [x, weight, rstd](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        deliver_gradients(t, x, weight, rstd, dy);
      });
}

template Var<float> rms_norm(const Var<float>&, const Var<float>&, double);
template Var<double> rms_norm(const Var<double>&, const Var<double>&, double);

}  // namespace tapehead
