#include "autograd/ops/lstm.h"

#include <array>

#include "autograd/check.h"
#include "autograd/kernels/copy_rows.h"
#include "autograd/kernels/vector_math.h"

namespace tapehead {

namespace {

constexpr Index kLstmGates = 4;

// What the forward pass leaves for the backward pass, for every step.
template <typename Scalar>
struct LstmSteps {
  Tensor<Scalar> gates;            // (batch, steps, 4 * hidden)
  Tensor<Scalar> cells, squashed;  // c and tanh(c): (batch, steps, hidden)
};

// One row of one step: z becomes the gates.
template <typename Scalar>
void lstm_row(Scalar* __restrict z, const Scalar* __restrict c_before, Scalar* __restrict c,
              Scalar* __restrict squashed, Scalar* __restrict h, Index n) {
  Scalar *i = z, *f = z + n, *g = z + 2 * n, *o = z + 3 * n;
  kernels::sigmoid(i, i, 2 * n);
  kernels::tanh(g, g, n);
  kernels::sigmoid(o, o, n);
  for (Index j = 0; j < n; ++j) c[j] = f[j] * c_before[j] + i[j] * g[j];
  kernels::tanh(c, squashed, n);
  for (Index j = 0; j < n; ++j) h[j] = o[j] * squashed[j];
}

template <typename Scalar>
void lstm_forward(const detail::RecurrentSizes& s, const Tensor<Scalar>& h0,
                  const Tensor<Scalar>& c0, const Var<Scalar>& w_hh, LstmSteps<Scalar>& steps,
                  Tensor<Scalar>& y) {
  for (Index t = 0; t < s.steps; ++t) {
    const detail::StateRows<Scalar> h_before(s, y.data(), h0.data(), t);
    const detail::StateRows<Scalar> c_before(s, steps.cells.data(), c0.data(), t);
    detail::multiply_state(s, h_before, w_hh, steps.gates.data() + t * s.gates, s.steps * s.gates,
                           Scalar(1));
    detail::for_each_row(w_hh.tape().threads(), s.batch, s.gates, [&](Index b) {
      const Index row = b * s.steps + t, at = row * s.hidden;
      lstm_row(steps.gates.data() + row * s.gates, c_before.row(b), steps.cells.data() + at,
               steps.squashed.data() + at, y.data() + at, s.hidden);
    });
  }
}

// One row of one step, backward: dz, and dc of the step before in place of that of this one.
template <typename Scalar>
void lstm_row_backward(const Scalar* __restrict gates, const Scalar* __restrict c_before,
                       const Scalar* __restrict squashed, const Scalar* __restrict dy,
                       const Scalar* __restrict dh_later, Scalar* __restrict dc,
                       Scalar* __restrict dz, Index n) {
  for (Index j = 0; j < n; ++j) {
    const Scalar i = gates[j], f = gates[n + j], g = gates[2 * n + j], o = gates[3 * n + j];
    const Scalar dh = dy[j] + dh_later[j];
    const Scalar dc_j = dc[j] + dh * o * (1 - squashed[j] * squashed[j]);
    dz[j] = dc_j * g * i * (1 - i);
    dz[n + j] = dc_j * c_before[j] * f * (1 - f);
    dz[2 * n + j] = dc_j * i * (1 - g * g);
    dz[3 * n + j] = dh * squashed[j] * o * (1 - o);
    dc[j] = dc_j * f;
  }
}

template <typename Scalar>
void lstm_backward(Tape<Scalar>& tape, const detail::RecurrentSizes& s, const Var<Scalar>& x,
                   const Var<Scalar>& h0, const Var<Scalar>& c0,
                   const RecurrentWeights<Scalar>& weights, const LstmSteps<Scalar>& steps,
                   const Tensor<Scalar>& y, const Tensor<Scalar>& dy) {
  Tensor<Scalar> dz = tape.allocate(steps.gates.shape());
  Tensor<Scalar> dh = tape.allocate_zeros(h0.shape());  // what later steps ask of h_t ...
  Tensor<Scalar> dc = tape.allocate_zeros(c0.shape());  // ... and of c_t
  for (Index t = s.steps - 1; t >= 0; --t) {
    const detail::StateRows<Scalar> c_before(s, steps.cells.data(), c0.value().data(), t);
    detail::for_each_row(tape.threads(), s.batch, s.gates, [&](Index b) {
      const Index row = b * s.steps + t, at = row * s.hidden;
      lstm_row_backward(steps.gates.data() + row * s.gates, c_before.row(b),
                        steps.squashed.data() + at, dy.data() + at, dh.data() + b * s.hidden,
                        dc.data() + b * s.hidden, dz.data() + row * s.gates, s.hidden);
    });
    detail::multiply_state_backward(s, dz, t, weights.w_hh, Scalar(0), dh);
  }
  detail::deliver_recurrent(tape, s, x, h0, weights, y, dz, dz);
  tape.add_grad(h0, dh);
  tape.add_grad(c0, dc);
}

template <typename Scalar>
Tensor<Scalar> last_cell(Tape<Scalar>& tape, const detail::RecurrentSizes& s,
                         const Tensor<Scalar>& c0, const Tensor<Scalar>& cells) {
  Tensor<Scalar> last = tape.allocate(c0.shape());
  const detail::StateRows<Scalar> c(s, cells.data(), c0.data(), s.steps);
  kernels::copy_rows(c.data, c.stride, last.data(), s.hidden, s.batch, s.hidden);
  return last;
}

}  // namespace

template <typename Scalar>
LstmResult<Scalar> lstm(const Var<Scalar>& x, const Var<Scalar>& h0, const Var<Scalar>& c0,
                        const RecurrentWeights<Scalar>& weights) {
  const auto sizes = detail::recurrent_sizes("lstm", kLstmGates, x, h0, weights);
  check_same_shape("lstm", "c0", c0.shape(), "h0", h0.shape());
  Tape<Scalar>& tape = x.tape();
  const Shape out = {sizes.batch, sizes.steps, sizes.hidden};
  LstmSteps<Scalar> steps{detail::project_inputs(sizes, x, weights, true), tape.allocate(out),
                          tape.allocate(out)};
  Tensor<Scalar> y = tape.allocate(out);
  lstm_forward(sizes, h0.value(), c0.value(), weights.w_hh, steps, y);
  const Tensor<Scalar> cell = last_cell(tape, sizes, c0.value(), steps.cells);
  const std::array<Var<Scalar>, 7> inputs = {
      x, h0, c0, weights.w_ih, weights.w_hh, weights.b_ih, weights.b_hh};
  const auto output =
      tape.record(Op::lstm, std::move(y), std::span(inputs).first(weights.b_ih.defined() ? 7 : 5),
                  [sizes, x, h0, c0, weights, steps](Tape<Scalar>& t, const Tensor<Scalar>& h,
                                                     const Tensor<Scalar>& dh) {
                    lstm_backward(t, sizes, x, h0, c0, weights, steps, h, dh);
                  });
  return {output, cell};
}

template LstmResult<float> lstm(const Var<float>&, const Var<float>&, const Var<float>&,
                                const RecurrentWeights<float>&);
template LstmResult<double> lstm(const Var<double>&, const Var<double>&, const Var<double>&,
                                 const RecurrentWeights<double>&);

}  // namespace tapehead
