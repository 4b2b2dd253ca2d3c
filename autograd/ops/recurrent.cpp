#include "autograd/ops/recurrent.h"

#include <algorithm>

#include "autograd/check.h"
#include "autograd/kernels/copy_rows.h"
#include "autograd/ops/affine.h"

namespace tapehead::detail {

template <typename Scalar>
RecurrentSizes recurrent_sizes(const char* op, Index gates, const Var<Scalar>& x,
                               const Var<Scalar>& h0, const RecurrentWeights<Scalar>& weights) {
  check_rank(op, "x", x.shape(), 3);
  check_rank(op, "h0", h0.shape(), 2);
  RecurrentSizes s;
  s.batch = x.dim(0);
  s.steps = x.dim(1);
  s.in = x.dim(2);
  s.hidden = h0.dim(1);
  s.gates = gates * s.hidden;
  check_same_shape(op, "h0", h0.shape(), "a state for each row of x", {s.batch, s.hidden});
  check_same_shape(op, "w_ih", weights.w_ih.shape(), "the gates by x's width", {s.gates, s.in});
  check_same_shape(op, "w_hh", weights.w_hh.shape(), "the gates by h0's width",
                   {s.gates, s.hidden});
  if (weights.b_ih.defined()) {
    check_same_shape(op, "b_ih", weights.b_ih.shape(), "the gates", {s.gates});
    check_same_shape(op, "b_hh", weights.b_hh.shape(), "the gates", {s.gates});
  }
  return s;
}

namespace {

// Writes the biases to each of z's rows.
template <typename Scalar>
void fill_biases(const RecurrentSizes& s, const RecurrentWeights<Scalar>& weights, bool both,
                 Tensor<Scalar>& z) {
  const Index rows = s.batch * s.steps;
  kernels::copy_rows(weights.b_ih.value().data(), 0, z.data(), s.gates, rows, s.gates);
  if (!both) return;
  kernels::add_rows(weights.b_hh.value().data(), 0, z.data(), s.gates, rows, s.gates);
}

}  // namespace

template <typename Scalar>
Tensor<Scalar> project_inputs(const RecurrentSizes& s, const Var<Scalar>& x,
                              const RecurrentWeights<Scalar>& weights, bool both_biases) {
  Tape<Scalar>& tape = x.tape();
  const Index rows = s.batch * s.steps;
  const bool bias = weights.b_ih.defined();
  Tensor<Scalar> z = tape.allocate({s.batch, s.steps, s.gates});
  if (bias) fill_biases(s, weights, both_biases, z);  // the product is added to them
  gemm<Scalar>({.m = rows,
                .n = s.gates,
                .k = s.in,
                .a = x.value().data(),
                .lda = s.in,
                .b = weights.w_ih.value().data(),
                .ldb = s.in,
                .transpose_b = true,
                .c = z.data(),
                .ldc = s.gates,
                .beta = bias ? Scalar(1) : Scalar(0)},
               tape.threads());
  return z;
}

template <typename Scalar>
void multiply_state(const RecurrentSizes& s, const StateRows<Scalar>& h, const Var<Scalar>& w_hh,
                    Scalar* z_t, Index z_stride, Scalar beta) {
  gemm<Scalar>({.m = s.batch,
                .n = s.gates,
                .k = s.hidden,
                .a = h.data,
                .lda = h.stride,
                .b = w_hh.value().data(),
                .ldb = s.hidden,
                .transpose_b = true,
                .c = z_t,
                .ldc = z_stride,
                .beta = beta},
               w_hh.tape().threads());
}

template <typename Scalar>
void multiply_state_backward(const RecurrentSizes& s, const Tensor<Scalar>& dz, Index t,
                             const Var<Scalar>& w_hh, Scalar beta, Tensor<Scalar>& dh) {
  gemm<Scalar>({.m = s.batch,
                .n = s.hidden,
                .k = s.gates,
                .a = dz.data() + t * s.gates,
                .lda = s.steps * s.gates,
                .b = w_hh.value().data(),
                .ldb = s.hidden,
                .c = dh.data(),
                .ldc = s.hidden,
                .beta = beta},
               w_hh.tape().threads());
}

namespace {

// The state before each step: (batch, steps, hidden).
template <typename Scalar>
Tensor<Scalar> states_before(Tape<Scalar>& tape, const RecurrentSizes& s, const Tensor<Scalar>& y,
                             const Tensor<Scalar>& h0) {
  Tensor<Scalar> before = tape.allocate(y.shape());
  if (s.steps == 0) return before;
  const Index row = s.steps * s.hidden;
  kernels::copy_rows(h0.data(), s.hidden, before.data(), row, s.batch, s.hidden);
  kernels::copy_rows(y.data(), row, before.data() + s.hidden, row, s.batch, row - s.hidden);
  return before;
}

}  // namespace

template <typename Scalar>
void deliver_recurrent(Tape<Scalar>& tape, const RecurrentSizes& s, const Var<Scalar>& x,
                       const Var<Scalar>& h0, const RecurrentWeights<Scalar>& weights,
                       const Tensor<Scalar>& y, const Tensor<Scalar>& dz_x,
                       const Tensor<Scalar>& dz_h) {
  add_weight_grads(tape, x.value(), weights.w_ih, weights.b_ih, dz_x);
  add_weight_grads(tape, states_before(tape, s, y, h0.value()), weights.w_hh, weights.b_hh, dz_h);
  add_input_grad(tape, x, weights.w_ih, dz_x);
}

template RecurrentSizes recurrent_sizes(const char*, Index, const Var<float>&, const Var<float>&,
                                        const RecurrentWeights<float>&);
template RecurrentSizes recurrent_sizes(const char*, Index, const Var<double>&, const Var<double>&,
                                        const RecurrentWeights<double>&);
template Tensor<float> project_inputs(const RecurrentSizes&, const Var<float>&,
                                      const RecurrentWeights<float>&, bool);
template Tensor<double> project_inputs(const RecurrentSizes&, const Var<double>&,
                                       const RecurrentWeights<double>&, bool);
template void multiply_state(const RecurrentSizes&, const StateRows<float>&, const Var<float>&,
                             float*, Index, float);
template void multiply_state(const RecurrentSizes&, const StateRows<double>&, const Var<double>&,
                             double*, Index, double);
template void multiply_state_backward(const RecurrentSizes&, const Tensor<float>&, Index,
                                      const Var<float>&, float, Tensor<float>&);
template void multiply_state_backward(const RecurrentSizes&, const Tensor<double>&, Index,
                                      const Var<double>&, double, Tensor<double>&);
template void deliver_recurrent(Tape<float>&, const RecurrentSizes&, const Var<float>&,
                                const Var<float>&, const RecurrentWeights<float>&,
                                const Tensor<float>&, const Tensor<float>&, const Tensor<float>&);
template void deliver_recurrent(Tape<double>&, const RecurrentSizes&, const Var<double>&,
                                const Var<double>&, const RecurrentWeights<double>&,
                                const Tensor<double>&, const Tensor<double>&,
                                const Tensor<double>&);

}  // namespace tapehead::detail
