#include "autograd/ops/linear.h"

#include <array>

#include "autograd/check.h"
#include "autograd/kernels/columns.h"

namespace tapehead {

namespace {

template <typename Scalar>
void linear_forward(const Tensor<Scalar>& x, const Tensor<Scalar>& weight, const Scalar* bias,
                    Tensor<Scalar>& y, int threads) {
  const Index rows = x.shape().row_count(), in = weight.dim(1), out = weight.dim(0);
  if (bias != nullptr) {  // the product is added to it, which costs no pass of its own
    for (Index r = 0; r < rows; ++r) std::copy_n(bias, out, y.data() + r * out);
  }
  gemm<Scalar>({.m = rows,
                .n = out,
                .k = in,
                .a = x.data(),
                .lda = in,
                .b = weight.data(),
                .ldb = in,
                .transpose_b = true,
                .c = y.data(),
                .ldc = out,
                .beta = bias != nullptr ? Scalar(1) : Scalar(0)},
               threads);
}

template <typename Scalar>
void linear_backward(Tape<Scalar>& tape, const Var<Scalar>& x, const Var<Scalar>& weight,
                     const Var<Scalar>& bias, const Tensor<Scalar>& dy) {
  const Index rows = dy.shape().row_count(), in = weight.dim(1), out = weight.dim(0);
  const int threads = tape.threads();
  if (bias.defined()) {
    tape.accumulate(bias, [&dy, rows, out, threads](Scalar* db) {
      kernels::add_column_sums(dy.data(), rows, out, db, threads);
    });
  }
  tape.add_grad_product(weight, {.m = out,
                                 .n = in,
                                 .k = rows,
                                 .a = dy.data(),
                                 .lda = out,
                                 .transpose_a = true,
                                 .b = x.value().data(),
                                 .ldb = in});
  tape.add_grad_product(x, {.m = rows,
                            .n = in,
                            .k = out,
                            .a = dy.data(),
                            .lda = out,
                            .b = weight.value().data(),
                            .ldb = in});
}

// `bias` may be empty.
template <typename Scalar>
Var<Scalar> record_linear(const Var<Scalar>& x, const Var<Scalar>& weight,
                          const Var<Scalar>& bias) {
  check_rank("linear", "weight", weight.shape(), 2);
  check_last_dim("linear", "x", x.shape(), weight.dim(1), "the weight's second dimension");
  Tape<Scalar>& tape = x.tape();
  const std::array<Var<Scalar>, 3> inputs = {x, weight, bias};
  Tensor<Scalar> y = tape.allocate(x.shape().with_dim(x.rank() - 1, weight.dim(0)));
  linear_forward(x.value(), weight.value(), bias.defined() ? bias.value().data() : nullptr, y,
                 tape.threads());
  return tape.record(
      Op::linear, std::move(y), std::span(inputs).first(bias.defined() ? 3 : 2),
      [x, weight, bias](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        linear_backward(t, x, weight, bias, dy);
      });
}

}  // namespace

template <typename Scalar>
Var<Scalar> linear(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias) {
  check_rank("linear", "weight", weight.shape(), 2);
  check_same_shape("linear", "bias", bias.shape(), "a row of the output", {weight.dim(0)});
  return record_linear(x, weight, bias);
}

template <typename Scalar>
Var<Scalar> linear(const Var<Scalar>& x, const Var<Scalar>& weight) {
  return record_linear(x, weight, Var<Scalar>());
}

template Var<float> linear(const Var<float>&, const Var<float>&, const Var<float>&);
template Var<double> linear(const Var<double>&, const Var<double>&, const Var<double>&);
template Var<float> linear(const Var<float>&, const Var<float>&);
template Var<double> linear(const Var<double>&, const Var<double>&);

}  // namespace tapehead
