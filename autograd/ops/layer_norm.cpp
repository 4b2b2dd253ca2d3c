#include "autograd/ops/layer_norm.h"

#include <array>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/columns.h"
#include "autograd/kernels/normalize.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kRowsPerChunk = 32;

// What backward needs of each row.
template <typename Scalar>
struct RowStatistics {
  Tensor<Scalar> mean, rstd;  // (rows)
};

template <typename Scalar>
void layer_norm_forward(const Tensor<Scalar>& x, const Tensor<Scalar>& weight, const Scalar* bias,
                        Scalar eps, Tensor<Scalar>& y, RowStatistics<Scalar>& rows, int threads) {
  const Index n = x.shape().row_length();
  parallel_chunks(threads, rows.mean.size(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      kernels::layer_norm(x.data() + r * n, weight.data(), bias, eps, n, y.data() + r * n,
                          &rows.mean[r], &rows.rstd[r]);
    }
  });
}

template <typename Scalar>
void layer_norm_backward(const Tensor<Scalar>& x, const Tensor<Scalar>& weight,
                         const RowStatistics<Scalar>& rows, const Tensor<Scalar>& dy,
                         Tensor<Scalar>& dx, int threads) {
  const Index n = x.shape().row_length();
  parallel_chunks(threads, rows.mean.size(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      kernels::layer_norm_backward(x.data() + r * n, weight.data(), dy.data() + r * n, rows.mean[r],
                                   rows.rstd[r], n, dx.data() + r * n);
    }
  });
}

template <typename Scalar>
void deliver_gradients(Tape<Scalar>& tape, const Var<Scalar>& x, const Var<Scalar>& weight,
                       const Var<Scalar>& bias, const RowStatistics<Scalar>& rows,
                       const Tensor<Scalar>& dy) {
  const Index count = rows.mean.size(), n = dy.shape().row_length();
  const int threads = tape.threads();
  if (bias.defined()) {
    tape.accumulate(bias, [&dy, count, n, threads](Scalar* db) {
      kernels::add_column_sums(dy.data(), count, n, db, threads);
    });
  }
  tape.accumulate(weight, [&](Scalar* dw) {
    kernels::add_normalized_column_sums(dy.data(), x.value().data(), rows.mean.data(),
                                        rows.rstd.data(), count, n, dw, threads);
  });
  if (!x.requires_grad()) return;
  Tensor<Scalar> dx = tape.allocate(x.shape());
  layer_norm_backward(x.value(), weight.value(), rows, dy, dx, threads);
  tape.add_grad(x, dx);
}

// `bias` may be empty.
template <typename Scalar>
Var<Scalar> record_layer_norm(const Var<Scalar>& x, const Var<Scalar>& weight,
                              const Var<Scalar>& bias, double eps) {
  check_min_rank("layer_norm", "x", x.shape(), 1);
  check_same_shape("layer_norm", "weight", weight.shape(), "a row of x", {x.dim(-1)});
  if (!(eps >= 0)) throw ValueError(fmt::format("layer_norm: eps is {}; it must be >= 0", eps));
  Tape<Scalar>& tape = x.tape();
  const Shape row_shape = {x.shape().row_count()};
  RowStatistics<Scalar> rows{tape.allocate(row_shape), tape.allocate(row_shape)};
  Tensor<Scalar> y = tape.allocate(x.shape());
  layer_norm_forward(x.value(), weight.value(), bias.defined() ? bias.value().data() : nullptr,
                     static_cast<Scalar>(eps), y, rows, tape.threads());
  const std::array<Var<Scalar>, 3> inputs = {x, weight, bias};
  return tape.record(Op::layer_norm, std::move(y), std::span(inputs).first(bias.defined() ? 3 : 2),
                     [x, weight, bias, rows](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/,
                                             const Tensor<Scalar>& dy) {
                       deliver_gradients(t, x, weight, bias, rows, dy);
                     });
}

}  // namespace

template <typename Scalar>
Var<Scalar> layer_norm(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias,
                       double eps) {
  check_min_rank("layer_norm", "x", x.shape(), 1);
  check_same_shape("layer_norm", "bias", bias.shape(), "a row of x", {x.dim(-1)});
  return record_layer_norm(x, weight, bias, eps);
}

template <typename Scalar>
Var<Scalar> layer_norm(const Var<Scalar>& x, const Var<Scalar>& weight, double eps) {
  return record_layer_norm(x, weight, Var<Scalar>(), eps);
}

template Var<float> layer_norm(const Var<float>&, const Var<float>&, const Var<float>&, double);
template Var<double> layer_norm(const Var<double>&, const Var<double>&, const Var<double>&, double);
template Var<float> layer_norm(const Var<float>&, const Var<float>&, double);
template Var<double> layer_norm(const Var<double>&, const Var<double>&, double);

}  // namespace tapehead
