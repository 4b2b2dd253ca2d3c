#pragma once

#include "autograd/ops/recurrent.h"

namespace tapehead {

template <typename Scalar>
struct LstmResult {
  Var<Scalar> output;   ///< (batch, steps, hidden)
  Tensor<Scalar> cell;  ///< (batch, hidden) after the last step; to go on from, not differentiated
};

/// Long short-term memory (Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al.
/// 2000), over whole sequences.
///
///   z_t = x_t W_ih^T + b_ih + h_(t-1) W_hh^T + b_hh, cut into four gates of `hidden` numbers
///   i, f, o = sigmoid(z^i, z^f, z^o),  g = tanh(z^g)              the order is i, f, g, o
///   c_t = f c_(t-1) + i g,  h_t = o tanh(c_t),  y_t = h_t
///
///   dh_t = dy_t + dz_(t+1) W_hh,  dc_t = dh_t o (1 - tanh^2 c_t) + dc_(t+1) f_(t+1)
///   dz^i = dc g i (1 - i),  dz^f = dc c_(t-1) f (1 - f),  dz^g = dc i (1 - g^2),
///   dz^o = dh tanh(c) o (1 - o); from dz as for rnn, and dc_0 = dc_1 f_1
///
/// x: (batch, steps, in); h0, c0: (batch, hidden); weights with G = 4. PyTorch's nn.LSTM of one
/// layer. Throws ShapeError if they do not fit. Keeps for backward: x, h0, c0, the weights, y, the
/// gates, c, tanh(c).
template <typename Scalar>
LstmResult<Scalar> lstm(const Var<Scalar>& x, const Var<Scalar>& h0, const Var<Scalar>& c0,
                        const RecurrentWeights<Scalar>& weights);

}  // namespace tapehead
