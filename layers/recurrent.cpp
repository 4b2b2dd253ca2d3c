#include "layers/recurrent.h"

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/copy_rows.h"
#include "autograd/ops/gru.h"
#include "autograd/ops/lstm.h"
#include "autograd/ops/rnn.h"
#include "base/error.h"

namespace tapehead {

namespace {

Index gates_of(CellKind cell) {
  switch (cell) {
    case CellKind::kRnn:
      return 1;
    case CellKind::kLstm:
      return 4;
    case CellKind::kGru:
      return 3;
  }
  return 1;
}

// The state after the last step, from those after every step.
template <typename Scalar>
Tensor<Scalar> last_state(const Tensor<Scalar>& y, const Tensor<Scalar>& before) {
  const Index batch = y.dim(0), steps = y.dim(1), width = y.dim(2);
  if (steps == 0) return before;
  Tensor<Scalar> last({batch, width});
  kernels::copy_rows(y.data() + (steps - 1) * width, steps * width, last.data(), width, batch,
                     width);
  return last;
}

}  // namespace

template <typename Scalar>
Recurrent<Scalar>::Recurrent(const Builder<Scalar>& at, const RecurrentConfig& config)
    : config_(config) {
  if (config.layers < 1) {
    throw ValueError(fmt::format("recurrent: {} layers; there must be at least 1", config.layers));
  }
  const Index gates = gates_of(config.cell) * config.hidden;
  for (Index i = 0; i < config.layers; ++i) {
    const auto name = [i](const char* kind) { return fmt::format("{}_l{}", kind, i); };
    Layer layer{};
    layer.w_ih = &at.linear_weight(name("weight_ih"), gates, i == 0 ? config.input : config.hidden);
    layer.w_hh = &at.linear_weight(name("weight_hh"), gates, config.hidden);
    if (config.bias) {
      layer.b_ih = &at.linear_bias(name("bias_ih"), gates, config.hidden);
      layer.b_hh = &at.linear_bias(name("bias_hh"), gates, config.hidden);
    }
    layers_.push_back(layer);
    if (i + 1 < config.layers) dropouts_.emplace_back(at, config.dropout);
  }
}

template <typename Scalar>
Var<Scalar> Recurrent<Scalar>::run_layer(std::size_t i, const Var<Scalar>& x,
                                         RecurrentState<Scalar>* state) const {
  Tape<Scalar>& tape = x.tape();
  const Layer& layer = layers_[i];
  const typename Tape<Scalar>::Scope scope(tape, layer.w_ih->name());
  RecurrentWeights<Scalar> weights{
      tape.parameter(*layer.w_ih), tape.parameter(*layer.w_hh), {}, {}};
  if (config_.bias) {
    weights.b_ih = tape.parameter(*layer.b_ih);
    weights.b_hh = tape.parameter(*layer.b_hh);
  }
  const Tensor<Scalar> zeros = tape.allocate_zeros({x.dim(0), config_.hidden});
  const Var<Scalar> h0 = tape.leaf(state != nullptr ? state->h[i] : zeros);
  Var<Scalar> y;
  if (config_.cell == CellKind::kLstm) {
    const auto result = lstm(x, h0, tape.leaf(state != nullptr ? state->c[i] : zeros), weights);
    y = result.output;
    if (state != nullptr) state->c[i] = result.cell.clone();
  } else {
    y = config_.cell == CellKind::kGru ? gru(x, h0, weights) : rnn(x, h0, weights);
  }
  if (state != nullptr) state->h[i] = last_state(y.value(), state->h[i]);
  return y;
}

template <typename Scalar>
Var<Scalar> Recurrent<Scalar>::forward(const Var<Scalar>& x, RecurrentState<Scalar>* state) const {
  check_rank("recurrent", "x", x.shape(), 3);
  if (state != nullptr && state->h.empty()) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      state->h.emplace_back(Shape{x.dim(0), config_.hidden});
      state->c.emplace_back(Shape{x.dim(0), config_.hidden});
    }
  }
  Var<Scalar> y = x;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (i > 0) y = dropouts_[i - 1].forward(y);
    y = run_layer(i, y, state);
  }
  return y;
}

template class Recurrent<float>;
template class Recurrent<double>;

}  // namespace tapehead
