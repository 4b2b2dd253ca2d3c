#include "autograd/ops/gru.h"

#include <array>

#include "autograd/kernels/copy_rows.h"
#include "autograd/kernels/vector_math.h"

namespace tapehead {

namespace {

constexpr Index kGruGates = 3;

// What the forward pass leaves for the backward pass, for every step.
template <typename Scalar>
struct GruSteps {
  Tensor<Scalar> gates;     // r, z, n: (batch, steps, 3 * hidden)
  Tensor<Scalar> proposed;  // v^n: (batch, steps, hidden)
};

// One row of one step: u becomes the gates.
template <typename Scalar>
void gru_row(Scalar* __restrict u, const Scalar* __restrict v, const Scalar* __restrict h_before,
             Scalar* __restrict proposed, Scalar* __restrict h, Index width) {
  Scalar *r = u, *z = u + width, *n = u + 2 * width;
  for (Index j = 0; j < 2 * width; ++j) u[j] += v[j];
  kernels::sigmoid(u, u, 2 * width);
  for (Index j = 0; j < width; ++j) {
    proposed[j] = v[2 * width + j];
    n[j] += r[j] * proposed[j];
  }
  kernels::tanh(n, n, width);
  for (Index j = 0; j < width; ++j) h[j] = (1 - z[j]) * n[j] + z[j] * h_before[j];
}

template <typename Scalar>
void gru_forward(const detail::RecurrentSizes& s, const Tensor<Scalar>& h0,
                 const RecurrentWeights<Scalar>& weights, GruSteps<Scalar>& steps,
                 Tensor<Scalar>& y) {
  Tape<Scalar>& tape = weights.w_hh.tape();
  const bool bias = weights.b_hh.defined();
  Tensor<Scalar> v = tape.allocate({s.batch, s.gates});
  for (Index t = 0; t < s.steps; ++t) {
    const detail::StateRows<Scalar> before(s, y.data(), h0.data(), t);
    if (bias) {
      kernels::copy_rows(weights.b_hh.value().data(), 0, v.data(), s.gates, s.batch, s.gates);
    }
    detail::multiply_state(s, before, weights.w_hh, v.data(), s.gates, Scalar(bias ? 1 : 0));
    detail::for_each_row(tape.threads(), s.batch, s.gates, [&](Index b) {
      const Index row = b * s.steps + t, at = row * s.hidden;
      gru_row(steps.gates.data() + row * s.gates, v.data() + b * s.gates, before.row(b),
              steps.proposed.data() + at, y.data() + at, s.hidden);
    });
  }
}

// One row of one step, backward: du, dv, and in place of dh what goes past the gates to the step
// before.
template <typename Scalar>
void gru_row_backward(const Scalar* __restrict gates, const Scalar* __restrict proposed,
                      const Scalar* __restrict h_before, const Scalar* __restrict dy,
                      Scalar* __restrict dh, Scalar* __restrict du, Scalar* __restrict dv,
                      Index width) {
  for (Index j = 0; j < width; ++j) {
    const Scalar r = gates[j], z = gates[width + j], n = gates[2 * width + j];
    const Scalar dh_j = dy[j] + dh[j];
    const Scalar du_n = dh_j * (1 - z) * (1 - n * n);
    du[2 * width + j] = du_n;
    dv[2 * width + j] = du_n * r;
    dv[j] = du[j] = du_n * proposed[j] * r * (1 - r);
    dv[width + j] = du[width + j] = dh_j * (h_before[j] - n) * z * (1 - z);
    dh[j] = dh_j * z;
  }
}

template <typename Scalar>
void gru_backward(Tape<Scalar>& tape, const detail::RecurrentSizes& s, const Var<Scalar>& x,
                  const Var<Scalar>& h0, const RecurrentWeights<Scalar>& weights,
                  const GruSteps<Scalar>& steps, const Tensor<Scalar>& y,
                  const Tensor<Scalar>& dy) {
  Tensor<Scalar> du = tape.allocate(steps.gates.shape());
  Tensor<Scalar> dv = tape.allocate(steps.gates.shape());
  Tensor<Scalar> dh = tape.allocate_zeros(h0.shape());  // what later steps ask of h_t
  for (Index t = s.steps - 1; t >= 0; --t) {
    const detail::StateRows<Scalar> before(s, y.data(), h0.value().data(), t);
    detail::for_each_row(tape.threads(), s.batch, s.gates, [&](Index b) {
      const Index row = b * s.steps + t, at = row * s.hidden;
      gru_row_backward(steps.gates.data() + row * s.gates, steps.proposed.data() + at,
                       before.row(b), dy.data() + at, dh.data() + b * s.hidden,
                       du.data() + row * s.gates, dv.data() + row * s.gates, s.hidden);
    });
    detail::multiply_state_backward(s, dv, t, weights.w_hh, Scalar(1), dh);
  }
  detail::deliver_recurrent(tape, s, x, h0, weights, y, du, dv);
  tape.add_grad(h0, dh);
}

}  // namespace

template <typename Scalar>
Var<Scalar> gru(const Var<Scalar>& x, const Var<Scalar>& h0,
                const RecurrentWeights<Scalar>& weights) {
  const auto sizes = detail::recurrent_sizes("gru", kGruGates, x, h0, weights);
  Tape<Scalar>& tape = x.tape();
  const Shape out = {sizes.batch, sizes.steps, sizes.hidden};
  GruSteps<Scalar> steps{detail::project_inputs(sizes, x, weights, false), tape.allocate(out)};
  Tensor<Scalar> y = tape.allocate(out);
  gru_forward(sizes, h0.value(), weights, steps, y);
  const std::array<Var<Scalar>, 6> inputs = {
      x, h0, weights.w_ih, weights.w_hh, weights.b_ih, weights.b_hh};
  return tape.record(Op::gru, std::move(y), std::span(inputs).first(weights.b_ih.defined() ? 6 : 4),
                     [sizes, x, h0, weights, steps](Tape<Scalar>& t, const Tensor<Scalar>& h,
                                                    const Tensor<Scalar>& dh) {
                       gru_backward(t, sizes, x, h0, weights, steps, h, dh);
                     });
}

template Var<float> gru(const Var<float>&, const Var<float>&, const RecurrentWeights<float>&);
template Var<double> gru(const Var<double>&, const Var<double>&, const RecurrentWeights<double>&);

}  // namespace tapehead
