#pragma once

#include "autograd/tape.h"
#include "base/parallel.h"

namespace tapehead {

/// The weights of one recurrent layer, under PyTorch's names. G is the number of gates of its cell,
/// whose rows stand one gate after the other.
template <typename Scalar>
struct RecurrentWeights {
  Var<Scalar> w_ih;        ///< (G * hidden, in): of the input
  Var<Scalar> w_hh;        ///< (G * hidden, hidden): of the state
  Var<Scalar> b_ih, b_hh;  ///< (G * hidden) each, or both empty
};

}  // namespace tapehead

// What rnn, lstm and gru share. The input is projected for all time steps by one product; then the
// recurrence walks through the steps. Row (b, t) of an array of (batch, steps, width) numbers
// follows row (b, t - 1), so the rows of one step lie steps * width apart.

namespace tapehead::detail {

struct RecurrentSizes {
  Index batch = 0, steps = 0, in = 0, hidden = 0;
  Index gates = 0;  ///< G * hidden
};

/// The sizes of a recurrence over x (batch, steps, in) from h0 (batch, hidden). Throws ShapeError
/// if anything does not fit.
template <typename Scalar>
RecurrentSizes recurrent_sizes(const char* op, Index gates, const Var<Scalar>& x,
                               const Var<Scalar>& h0, const RecurrentWeights<Scalar>& weights);

/// z = x W_ih^T + b_ih for all steps, and with `both_biases` + b_hh: (batch, steps, gates).
template <typename Scalar>
Tensor<Scalar> project_inputs(const RecurrentSizes& sizes, const Var<Scalar>& x,
                              const RecurrentWeights<Scalar>& weights, bool both_biases);

/// The state before step t, y being the states after each step.
template <typename Scalar>
struct StateRows {
  const Scalar* data;
  Index stride;

  StateRows(const RecurrentSizes& s, const Scalar* y, const Scalar* h0, Index t)
      : data(t == 0 ? h0 : y + (t - 1) * s.hidden),
        stride(t == 0 ? s.hidden : s.steps * s.hidden) {}
  const Scalar* row(Index b) const { return data + b * stride; }
};

/// z_t = beta z_t + h W_hh^T. Rows of z_t lie z_stride apart.
template <typename Scalar>
void multiply_state(const RecurrentSizes& sizes, const StateRows<Scalar>& h,
                    const Var<Scalar>& w_hh, Scalar* z_t, Index z_stride, Scalar beta);

/// dh (batch, hidden) = beta dh + dz_t W_hh, dz being the gradients of all steps' z.
template <typename Scalar>
void multiply_state_backward(const RecurrentSizes& sizes, const Tensor<Scalar>& dz, Index t,
                             const Var<Scalar>& w_hh, Scalar beta, Tensor<Scalar>& dh);

/// Delivers the gradients of the input and of the weights. dz_x and dz_h (batch, steps, gates) are
/// those of the input's and of the state's product.
template <typename Scalar>
void deliver_recurrent(Tape<Scalar>& tape, const RecurrentSizes& sizes, const Var<Scalar>& x,
                       const Var<Scalar>& h0, const RecurrentWeights<Scalar>& weights,
                       const Tensor<Scalar>& y, const Tensor<Scalar>& dz_x,
                       const Tensor<Scalar>& dz_h);

/// Calls body(b) for every batch entry, on the tape's threads; each is worth `numbers` exps.
template <typename Body>
void for_each_row(int threads, Index batch, Index numbers, const Body& body) {
  constexpr Index kMultiplyAddsPerExp = 16;
  parallel_chunks(threads, batch, units_per_chunk(kMultiplyAddsPerExp * numbers),
                  [&body](Index begin, Index end) {
                    for (Index b = begin; b < end; ++b) body(b);
                  });
}

}  // namespace tapehead::detail
