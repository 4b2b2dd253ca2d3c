#include "autograd/ops/rnn.h"

#include <array>

#include "autograd/kernels/vector_math.h"

namespace tapehead {

namespace {

constexpr Index kRnnGates = 1;

template <typename Scalar>
Tensor<Scalar> rnn_forward(const detail::RecurrentSizes& s, const Var<Scalar>& x,
                           const Var<Scalar>& h0, const RecurrentWeights<Scalar>& weights) {
  const int threads = x.tape().threads();
  Tensor<Scalar> y = detail::project_inputs(s, x, weights, true);  // z, step by step made h
  for (Index t = 0; t < s.steps; ++t) {
    const detail::StateRows<Scalar> before(s, y.data(), h0.value().data(), t);
    detail::multiply_state(s, before, weights.w_hh, y.data() + t * s.hidden, s.steps * s.hidden,
                           Scalar(1));
    detail::for_each_row(threads, s.batch, s.hidden, [&](Index b) {
      Scalar* h = y.data() + (b * s.steps + t) * s.hidden;
      kernels::tanh(h, h, s.hidden);
    });
  }
  return y;
}

template <typename Scalar>
void rnn_backward(Tape<Scalar>& tape, const detail::RecurrentSizes& s, const Var<Scalar>& x,
                  const Var<Scalar>& h0, const RecurrentWeights<Scalar>& weights,
                  const Tensor<Scalar>& y, const Tensor<Scalar>& dy) {
  Tensor<Scalar> dz = tape.allocate(y.shape());
  Tensor<Scalar> dh = tape.allocate_zeros(h0.shape());  // what later steps ask of h_t
  for (Index t = s.steps - 1; t >= 0; --t) {
    detail::for_each_row(tape.threads(), s.batch, s.hidden, [&](Index b) {
      const Index at = (b * s.steps + t) * s.hidden;
      for (Index j = 0; j < s.hidden; ++j) {
        const Scalar h = y[at + j];
        dz[at + j] = (dy[at + j] + dh[b * s.hidden + j]) * (1 - h * h);
      }
    });
    detail::multiply_state_backward(s, dz, t, weights.w_hh, Scalar(0), dh);
  }
  detail::deliver_recurrent(tape, s, x, h0, weights, y, dz, dz);
  tape.add_grad(h0, dh);
}

}  // namespace

template <typename Scalar>
Var<Scalar> rnn(const Var<Scalar>& x, const Var<Scalar>& h0,
                const RecurrentWeights<Scalar>& weights) {
  const auto sizes = detail::recurrent_sizes("rnn", kRnnGates, x, h0, weights);
  const std::array<Var<Scalar>, 6> inputs = {
      x, h0, weights.w_ih, weights.w_hh, weights.b_ih, weights.b_hh};
  return x.tape().record(
      Op::rnn, rnn_forward(sizes, x, h0, weights),
      std::span(inputs).first(weights.b_ih.defined() ? 6 : 4),
      [sizes, x, h0, weights](Tape<Scalar>& t, const Tensor<Scalar>& y, const Tensor<Scalar>& dy) {
        rnn_backward(t, sizes, x, h0, weights, y, dy);
      });
}

template Var<float> rnn(const Var<float>&, const Var<float>&, const RecurrentWeights<float>&);
template Var<double> rnn(const Var<double>&, const Var<double>&, const RecurrentWeights<double>&);

}  // namespace tapehead
