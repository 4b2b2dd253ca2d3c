#pragma once

#include <vector>

#include "autograd/ops/recurrent.h"
#include "layers/builder.h"
#include "layers/dropout.h"

namespace tapehead {

enum class CellKind { kRnn, kLstm, kGru };

struct RecurrentConfig {
  CellKind cell = CellKind::kLstm;
  Index input = 0, hidden = 0;
  Index layers = 1;
  bool bias = true;
  double dropout = 0.0;  ///< of the outputs of each layer but the last
};

/// What a recurrent network knows of the time steps so far: (batch, hidden) numbers for each layer.
/// Empty: it has seen none.
template <typename Scalar>
struct RecurrentState {
  std::vector<Tensor<Scalar>> h;
  std::vector<Tensor<Scalar>> c;  ///< of an LSTM
};

/// A recurrent network of several layers: each reads the states of the one below (PyTorch's nn.RNN
/// with tanh, nn.LSTM, nn.GRU).
///
/// x: (batch, n, input) -> (batch, n, hidden). Parameters, PyTorch's: weight_ih_l<i> (G * hidden,
/// input or hidden), weight_hh_l<i> (G * hidden, hidden), bias_ih_l<i>, bias_hh_l<i> (G * hidden),
/// with G = 1, 4, 3 gates for RNN, LSTM, GRU, in PyTorch's order. Fresh weights are drawn as those
/// of Linear.
template <typename Scalar>
class Recurrent {
 public:
  Recurrent(const Builder<Scalar>& at, const RecurrentConfig& config);

  /// Begins with states of zero; or, with `state`, goes on from it and leaves there what comes
  /// after x, without gradients.
  Var<Scalar> forward(const Var<Scalar>& x, RecurrentState<Scalar>* state = nullptr) const;

 private:
  struct Layer {
    const Parameter<Scalar>*w_ih, *w_hh, *b_ih, *b_hh;
  };
  Var<Scalar> run_layer(std::size_t layer, const Var<Scalar>& x,
                        RecurrentState<Scalar>* state) const;

  RecurrentConfig config_;
  std::vector<Layer> layers_;
  std::vector<Dropout<Scalar>> dropouts_;
};

}  // namespace tapehead
