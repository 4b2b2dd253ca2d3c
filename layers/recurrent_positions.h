#pragma once

#include "autograd/tape.h"
#include "layers/recurrent.h"

namespace tapehead {

/// Positions from a recurrent network: a tanh RNN (Elman 1990) reads the sequence, and its state
/// after each time step, which depends on the order of all that came before, is added to the input.
///
///   h_t = tanh(W_ih x_t + b_ih + W_hh h_(t-1) + b_hh),  h_(-1) = 0        y_t = x_t + h_t
///
/// Works past the training length: the network reads on. The time steps are computed one after the
/// other, which is the price of this scheme. x: (batch, n, width) -> the same. Parameters: those of
/// Recurrent, of one layer as wide as x.
template <typename Scalar>
class RecurrentPositions {
 public:
  RecurrentPositions(const Builder<Scalar>& at, Index width);

  /// With `state`, the network goes on from the state (batch, width) in it, if there is one, and
  /// leaves its last one there.
  Var<Scalar> forward(const Var<Scalar>& x, Tensor<Scalar>* state = nullptr) const;

 private:
  Recurrent<Scalar> network_;
};

}  // namespace tapehead
