#pragma once

#include "autograd/ops/recurrent.h"

namespace tapehead {

/// A recurrent network with tanh (Elman 1990), over whole sequences.
///
///   h_t = tanh(z_t),  z_t = x_t W_ih^T + b_ih + h_(t-1) W_hh^T + b_hh,  y_t = h_t
///   dh_t = dy_t + dz_(t+1) W_hh,  dz_t = dh_t (1 - h_t^2)
///   dx = dz W_ih,  dW_ih = sum_t dz_t^T x_t,  dW_hh = sum_t dz_t^T h_(t-1),
///   db_ih = db_hh = sum_t dz_t,  dh_0 = dz_1 W_hh
///
/// x: (batch, steps, in); h0: (batch, hidden); weights with G = 1; y: (batch, steps, hidden).
/// PyTorch's nn.RNN of one layer. Throws ShapeError if they do not fit. Keeps for backward: x, h0,
/// the weights, y.
template <typename Scalar>
Var<Scalar> rnn(const Var<Scalar>& x, const Var<Scalar>& h0,
                const RecurrentWeights<Scalar>& weights);

}  // namespace tapehead
