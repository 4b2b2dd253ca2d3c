#pragma once

#include <optional>

#include "layers/model_ends.h"
#include "layers/transformer_trunk.h"

namespace tapehead {

struct EncoderDecoderConfig : ModelEnds {
  Index source_vocabulary = 0;  ///< 0: sources and targets share one token table
  Index source_length = 0;      ///< longest source that learned positions know
  TrunkConfig trunk;            ///< of encoder and decoder; `causal` does not matter
};

/// An encoder that reads a source, and a decoder that writes a target while it looks at all of the
/// encoder's output (Vaswani et al. 2017).
///
/// sources: (batch, n_s), tokens: (batch, n) -> logits (batch, n, vocabulary). In training the
/// tokens are the right target, one position late (teacher forcing). Padding in the sources is seen
/// by nobody. Parameters: decoder.token.weight (vocabulary, d_model), encoder.token.weight
/// (source_vocabulary, d_model) unless shared, encoder and decoder each as TransformerTrunk, those
/// of OutputLayer.
template <typename Scalar>
class EncoderDecoder final : public SequenceModel<Scalar> {
 public:
  EncoderDecoder(const Builder<Scalar>& at, const EncoderDecoderConfig& config);

  /// `mask` is that of the decoder's self-attention. `trace` holds the attention of the encoder's
  /// blocks, then of each block of the decoder that to itself and that to the source.
  Var<Scalar> hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input, const Mask& mask = {},
                     ModelTrace<Scalar>* trace = nullptr) const override;
  Var<Scalar> head(const Var<Scalar>& hidden) const override { return output_.forward(hidden); }
  /// The target is written from left to right.
  bool is_causal() const override { return true; }
  /// Reads the source and computes its keys and values. Throws ShapeError unless there is one of at
  /// least one token, without padding.
  std::unique_ptr<DecodingState<Scalar>> start(Tape<Scalar>& tape, Index capacity,
                                               const TokenTensor& sources = {}) const override;
  Var<Scalar> hidden_cached(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                            DecodingState<Scalar>& state) const override;

 private:
  EncodedSource<Scalar> encode(Tape<Scalar>& tape, const TokenTensor& sources,
                               ModelTrace<Scalar>* trace) const;

  InputLayer<Scalar> target_;
  std::optional<InputLayer<Scalar>> source_;  // none: shared
  TransformerTrunk<Scalar> encoder_, decoder_;
  OutputLayer<Scalar> output_;
};

}  // namespace tapehead
