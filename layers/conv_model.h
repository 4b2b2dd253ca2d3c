#pragma once

#include <deque>
#include <optional>

#include "layers/causal_conv.h"
#include "layers/model_ends.h"

namespace tapehead {

struct ConvModelConfig : ModelEnds {
  Index layers = 1;
  /// Of every block; block i has dilation `dilation`^i.
  ConvBlockConfig block;
  Index dilation = 2;

  /// The positions that an output depends on, itself included: 1 + (kernel_size - 1) sum_i
  /// dilation^i.
  Index receptive_field() const;
};

/// A causal convolution network as a model of sequences (Bai et al. 2018): an input layer, blocks
/// whose dilation grows by a factor from one to the next, a final norm (pre-norm models only), a
/// linear output without bias. What stands before its receptive field it cannot know.
///
/// tokens: (batch, n) -> logits (batch, n, vocabulary). Parameters: those of InputLayer,
/// blocks.<i>..., norm, those of OutputLayer.
template <typename Scalar>
class ConvModel final : public SequenceModel<Scalar> {
 public:
  /// Throws ValueError without layers, or if the receptive field is beyond counting.
  ConvModel(const Builder<Scalar>& at, const ConvModelConfig& config);

  Var<Scalar> hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input, const Mask& mask = {},
                     ModelTrace<Scalar>* trace = nullptr) const override;
  Var<Scalar> head(const Var<Scalar>& hidden) const override { return output_->forward(hidden); }
  bool is_causal() const override { return true; }
  std::unique_ptr<DecodingState<Scalar>> start(Tape<Scalar>& tape, Index capacity,
                                               const TokenTensor& sources = {}) const override;
  Var<Scalar> hidden_cached(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                            DecodingState<Scalar>& state) const override;

 private:
  Var<Scalar> normalized(const Var<Scalar>& x) const { return norm_ ? norm_->forward(x) : x; }

  InputLayer<Scalar> input_;
  Dropout<Scalar> dropout_;
  std::deque<ConvBlock<Scalar>> blocks_;
  std::optional<Norm<Scalar>> norm_;
  std::optional<OutputLayer<Scalar>> output_;
};

}  // namespace tapehead
