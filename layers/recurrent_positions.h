#pragma once

#include "autograd/tape.h"
#include "layers/builder.h"
#include "layers/linear.h"

namespace tapehead {

/// Positions from a recurrent network: a tanh RNN (Elman 1990) reads the sequence, and its state
/// after each time step, which depends on the order of all that came before, is added to the input.
///
///   h_t = tanh(W_x x_t + b + W_h h_(t-1)),  h_(-1) = 0        y_t = x_t + h_t
///
/// Works past the training length: the network reads on. The time steps are computed one after the
/// other, which is the price of this scheme. x: (batch, n, width) -> the same. Parameters:
/// input.weight (width, width), input.bias (width), hidden.weight (width, width).
template <typename Scalar>
class RecurrentPositions {
 public:
  RecurrentPositions(const Builder<Scalar>& at, Index width);

  /// With `state`, the network goes on from the state (batch, 1, width) in it, if there is one, and
  /// leaves its last one there.
  Var<Scalar> forward(const Var<Scalar>& x, Tensor<Scalar>* state = nullptr) const;

 private:
  Linear<Scalar> input_, hidden_;
};

}  // namespace tapehead
