#include "layers/recurrent_model.h"

namespace tapehead {

namespace {

template <typename Scalar>
struct RecurrentDecoding final : DecodingState<Scalar> {
  RecurrentState<Scalar> layers;
  Index seen = 0;

  Index length() const override { return seen; }
  void clear() override { *this = {}; }
  // Each step puts new tensors in place of the old ones, so that a copy may share them.
  std::unique_ptr<DecodingState<Scalar>> clone() const override {
    return std::make_unique<RecurrentDecoding>(*this);
  }
};

RecurrentConfig network_config(const RecurrentModelConfig& config) {
  RecurrentConfig c;
  c.cell = config.cell;
  c.input = c.hidden = config.d_model;
  c.layers = config.layers;
  c.bias = config.bias;
  c.dropout = config.dropout;
  return c;
}

}  // namespace

template <typename Scalar>
RecurrentModel<Scalar>::RecurrentModel(const Builder<Scalar>& at,
                                       const RecurrentModelConfig& config)
    : input_(at, config, config.d_model),
      dropout1_(at / "dropout1", config.dropout),
      recurrent_(at / "recurrent", network_config(config)),
      dropout2_(at / "dropout2", config.dropout),
      output_(at, config, config.d_model, input_) {}

template <typename Scalar>
Var<Scalar> RecurrentModel<Scalar>::run(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                                        RecurrentState<Scalar>* state,
                                        ModelTrace<Scalar>* trace) const {
  const Var<Scalar> x = input_.forward(tape, input);
  if (trace != nullptr) trace->embedded = x;
  return dropout2_.forward(recurrent_.forward(dropout1_.forward(x), state));
}

template <typename Scalar>
Var<Scalar> RecurrentModel<Scalar>::hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                                           const Mask& mask, ModelTrace<Scalar>* trace) const {
  check_no_mask("recurrent model", mask);
  return run(tape, input, nullptr, trace);
}

template <typename Scalar>
std::unique_ptr<DecodingState<Scalar>> RecurrentModel<Scalar>::start(
    Tape<Scalar>& /*tape*/, Index /*capacity*/, const TokenTensor& /*sources*/) const {
  return std::make_unique<RecurrentDecoding<Scalar>>();
}

template <typename Scalar>
Var<Scalar> RecurrentModel<Scalar>::hidden_cached(Tape<Scalar>& tape,
                                                  const SequenceInput<Scalar>& input,
                                                  DecodingState<Scalar>& state) const {
  auto& own = own_state<RecurrentDecoding<Scalar>>("recurrent model", state);
  const Var<Scalar> y = run(tape, input, &own.layers, nullptr);
  own.seen += y.dim(1);
  return y;
}

template class RecurrentModel<float>;
template class RecurrentModel<double>;

}  // namespace tapehead
