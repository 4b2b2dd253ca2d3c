#pragma once

#include <algorithm>

#include "autograd/check.h"
#include "autograd/kernels/columns.h"
#include "autograd/tape.h"

// What the ops that compute x W^T + b share.

namespace tapehead::detail {

/// Throws ShapeError, in the name of `op`, unless x: (..., in), weight: (out, in) and, if defined,
/// bias: (out).
template <typename Scalar>
void check_affine(const char* op, const Var<Scalar>& x, const Var<Scalar>& weight,
                  const Var<Scalar>& bias) {
  check_rank(op, "weight", weight.shape(), 2);
  if (bias.defined()) {
    check_same_shape(op, "bias", bias.shape(), "a row of the output", {weight.dim(0)});
  }
  check_last_dim(op, "x", x.shape(), weight.dim(1), "the weight's second dimension");
}

/// x W^T + b, or without b if that is empty: (..., out).
template <typename Scalar>
Tensor<Scalar> affine_forward(const Var<Scalar>& x, const Var<Scalar>& weight,
                              const Var<Scalar>& bias) {
  const Index rows = x.shape().row_count(), in = weight.dim(1), out = weight.dim(0);
  Tensor<Scalar> y = x.tape().allocate(x.shape().with_dim(x.rank() - 1, out));
  if (bias.defined()) {  // the product is added to it, which costs no pass of its own
    const Scalar* b = bias.value().data();
    for (Index r = 0; r < rows; ++r) std::copy_n(b, out, y.data() + r * out);
  }
  gemm<Scalar>({.m = rows,
                .n = out,
                .k = in,
                .a = x.value().data(),
                .lda = in,
                .b = weight.value().data(),
                .ldb = in,
                .transpose_b = true,
                .c = y.data(),
                .ldc = out,
                .beta = bias.defined() ? Scalar(1) : Scalar(0)},
               x.tape().threads());
  return y;
}

/// Delivers db, the sum of the rows of dy, and dW = dy^T x. `bias` may be empty.
template <typename Scalar>
void add_weight_grads(Tape<Scalar>& tape, const Tensor<Scalar>& x, const Var<Scalar>& weight,
                      const Var<Scalar>& bias, const Tensor<Scalar>& dy) {
  const Index rows = dy.shape().row_count(), in = weight.dim(1), out = weight.dim(0);
  if (bias.defined()) {
    tape.accumulate(bias, [&dy, &tape, rows, out](Scalar* db) {
      kernels::add_column_sums(dy.data(), rows, out, db, tape.threads());
    });
  }
  tape.add_grad_product(weight, {.m = out,
                                 .n = in,
                                 .k = rows,
                                 .a = dy.data(),
                                 .lda = out,
                                 .transpose_a = true,
                                 .b = x.data(),
                                 .ldb = in});
}

/// Delivers dx = dy W.
template <typename Scalar>
void add_input_grad(Tape<Scalar>& tape, const Var<Scalar>& x, const Var<Scalar>& weight,
                    const Tensor<Scalar>& dy) {
  const Index in = weight.dim(1), out = weight.dim(0);
  tape.add_grad_product(x, {.m = dy.shape().row_count(),
                            .n = in,
                            .k = out,
                            .a = dy.data(),
                            .lda = out,
                            .b = weight.value().data(),
                            .ldb = in});
}

/// Delivers db, dW and dx.
template <typename Scalar>
void affine_backward(Tape<Scalar>& tape, const Var<Scalar>& x, const Var<Scalar>& weight,
                     const Var<Scalar>& bias, const Tensor<Scalar>& dy) {
  add_weight_grads(tape, x.value(), weight, bias, dy);
  add_input_grad(tape, x, weight, dy);
}

}  // namespace tapehead::detail
