#pragma once

#include <deque>
#include <optional>

#include "layers/embedding.h"
#include "layers/positions.h"
#include "layers/transformer_block.h"

namespace tapehead {

enum class ModelKind {
  kEncoder,  ///< every position sees every other
  kDecoder   ///< causal: a position sees itself and those before it
};

struct TransformerConfig {
  ModelKind kind = ModelKind::kDecoder;
  Index vocabulary = 0;
  Index length = 0;  ///< longest sequence of the training, and that learned positions know
  Index layers = 1;
  BlockConfig block;
  PositionKind position = PositionKind::kLearned;
  bool tie_embeddings = false;  ///< the output projection is the token table
};

/// A model of token sequences: token and position embeddings, blocks, a final norm (pre-norm models
/// only), and a linear output over the vocabulary without bias.
///
/// tokens: (batch, n) -> logits (batch, n, vocabulary).
/// Parameters: token.weight (vocabulary, width), position: those of its kind,
/// blocks.<i>..., norm.weight (width), head.weight (vocabulary, width) unless tied.
template <typename Scalar>
class Transformer {
 public:
  Transformer(const Builder<Scalar>& at, const TransformerConfig& config);

  /// `mask` is added to what the kind of model demands (padding, say). With `maps`, the attention
  /// weights of every block are collected; the logits have the same bits.
  Var<Scalar> forward(Tape<Scalar>& tape, const TokenTensor& tokens, const Mask& mask = {},
                      AttentionMaps<Scalar>* maps = nullptr) const;

  /// Decoding: the logits (1, n, vocabulary) of `tokens` (1, n), which follow those that the cache
  /// has seen. Equal to the last n rows of forward() on the whole sequence, but for rounding:
  /// products of few rows add up in another order than those of many. Throws ValueError for an
  /// encoder, ShapeError if the cache has no room.
  Var<Scalar> forward_cached(Tape<Scalar>& tape, const TokenTensor& tokens,
                             DecoderCache<Scalar>& cache) const;
  /// An empty cache for forward_cached(), with room for `capacity` positions.
  DecoderCache<Scalar> make_cache(Index capacity) const;

  const TransformerConfig& config() const { return config_; }

 private:
  // `first` is the position of the first token; `state` as for InputPositions.
  Var<Scalar> embed(Tape<Scalar>& tape, const TokenTensor& tokens, Index first,
                    Tensor<Scalar>* state) const;
  Var<Scalar> logits(const Var<Scalar>& x) const;

  TransformerConfig config_;
  Embedding<Scalar> token_;
  InputPositions<Scalar> positions_;
  Dropout<Scalar> dropout_;
  std::deque<TransformerBlock<Scalar>> blocks_;
  std::optional<Norm<Scalar>> norm_;
  std::optional<Linear<Scalar>> head_;
};

}  // namespace tapehead
