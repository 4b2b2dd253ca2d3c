#pragma once

#include "layers/model_ends.h"
#include "layers/recurrent.h"

namespace tapehead {

struct RecurrentModelConfig : ModelEnds {
  CellKind cell = CellKind::kLstm;
  Index d_model = 0;
  Index layers = 1;
  bool bias = true;
  double dropout = 0.0;  ///< of the input vectors and of the outputs of all layers
};

/// A recurrent network as a model of sequences: an input layer, the network, a linear output
/// without bias. It has no context length: it may read on for ever.
///
/// tokens: (batch, n) -> logits (batch, n, vocabulary). Parameters: those of InputLayer, recurrent,
/// those of OutputLayer.
template <typename Scalar>
class RecurrentModel final : public SequenceModel<Scalar> {
 public:
  RecurrentModel(const Builder<Scalar>& at, const RecurrentModelConfig& config);

  Var<Scalar> hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input, const Mask& mask = {},
                     ModelTrace<Scalar>* trace = nullptr) const override;
  Var<Scalar> head(const Var<Scalar>& hidden) const override { return output_.forward(hidden); }
  bool is_causal() const override { return true; }
  std::unique_ptr<DecodingState<Scalar>> start(Tape<Scalar>& tape, Index capacity,
                                               const TokenTensor& sources = {}) const override;
  Var<Scalar> hidden_cached(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                            DecodingState<Scalar>& state) const override;

 private:
  Var<Scalar> run(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                  RecurrentState<Scalar>* state, ModelTrace<Scalar>* trace) const;

  InputLayer<Scalar> input_;
  Dropout<Scalar> dropout1_;
  Recurrent<Scalar> recurrent_;
  Dropout<Scalar> dropout2_;
  OutputLayer<Scalar> output_;
};

}  // namespace tapehead
