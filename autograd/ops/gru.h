#pragma once

#include "autograd/ops/recurrent.h"

namespace tapehead {

/// Gated recurrent units (Cho et al. 2014), in the variant of PyTorch, whose reset gate acts on the
/// state's product, over whole sequences.
///
///   u_t = x_t W_ih^T + b_ih,  v_t = h_(t-1) W_hh^T + b_hh, cut into three gates of `hidden`
///   numbers r = sigmoid(u^r + v^r),  z = sigmoid(u^z + v^z),  n = tanh(u^n + r v^n)      in this
///   order h_t = (1 - z) n + z h_(t-1),  y_t = h_t
///
///   dh_t = dy_t + dv_(t+1) W_hh + dh_(t+1) z_(t+1)
///   du^n = dh (1 - z) (1 - n^2),  du^r = du^n v^n r (1 - r),  du^z = dh (h_(t-1) - n) z (1 - z)
///   dv = du, but dv^n = du^n r
///   dx = du W_ih,  dW_ih = sum_t du_t^T x_t,  db_ih = sum_t du_t,
///   dW_hh = sum_t dv_t^T h_(t-1),  db_hh = sum_t dv_t,  dh_0 = dv_1 W_hh + dh_1 z_1
///
/// x: (batch, steps, in); h0: (batch, hidden); weights with G = 3; y: (batch, steps, hidden).
/// PyTorch's nn.GRU of one layer. Throws ShapeError if they do not fit. Keeps for backward: x, h0,
/// the weights, y, the gates, v^n.
template <typename Scalar>
Var<Scalar> gru(const Var<Scalar>& x, const Var<Scalar>& h0,
                const RecurrentWeights<Scalar>& weights);

}  // namespace tapehead
