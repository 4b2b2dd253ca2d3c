#pragma once

#include "layers/model_ends.h"
#include "layers/transformer_trunk.h"

namespace tapehead {

struct TransformerConfig : ModelEnds, TrunkConfig {};

/// A model of sequences: an input layer, a trunk, and a linear output without bias.
///
/// tokens: (batch, n) -> logits (batch, n, vocabulary). Parameters: those of InputLayer,
/// TransformerTrunk and OutputLayer.
template <typename Scalar>
class Transformer final : public SequenceModel<Scalar> {
 public:
  Transformer(const Builder<Scalar>& at, const TransformerConfig& config);

  Var<Scalar> hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input, const Mask& mask = {},
                     ModelTrace<Scalar>* trace = nullptr) const override;
  Var<Scalar> head(const Var<Scalar>& hidden) const override { return output_.forward(hidden); }
  bool is_causal() const override { return config_.causal; }
  std::unique_ptr<DecodingState<Scalar>> start(Tape<Scalar>& tape, Index capacity,
                                               const TokenTensor& sources = {}) const override;
  Var<Scalar> hidden_cached(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                            DecodingState<Scalar>& state) const override;

  const TransformerConfig& config() const { return config_; }

 private:
  TransformerConfig config_;
  InputLayer<Scalar> input_;
  TransformerTrunk<Scalar> trunk_;
  OutputLayer<Scalar> output_;
};

}  // namespace tapehead
