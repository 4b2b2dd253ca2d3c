#pragma once

#include <deque>
#include <optional>

#include "layers/positions.h"
#include "layers/transformer_block.h"

namespace tapehead {

struct TrunkConfig {
  bool causal = true;  ///< a decoder: a position sees itself and those before it, not all
  Index length = 0;    ///< longest sequence of the training, and that learned positions know
  Index layers = 1;
  BlockConfig block;
  PositionKind position = PositionKind::kLearned;

  /// The options of attention that do not go together.
  std::vector<AttentionConflict> conflicts() const;
};

/// A transformer between its input and its output layer: positions, blocks, and a final norm
/// (pre-norm models only).
///
/// x: (batch, n, d_model) -> the same. Parameters: position: those of its kind, blocks.<i>...,
/// norm.weight (d_model).
template <typename Scalar>
class TransformerTrunk {
 public:
  TransformerTrunk(const Builder<Scalar>& at, const TrunkConfig& config);

  /// `mask` is added to the causal one of a decoder. `trace`, `source`: see TransformerBlock.
  Var<Scalar> forward(const Var<Scalar>& x, const Mask& mask = {},
                      ModelTrace<Scalar>* trace = nullptr,
                      const EncodedSource<Scalar>* source = nullptr) const;
  /// The trunk on the positions that follow those in the cache, of a decoder. x: (1, n, d_model).
  Var<Scalar> forward_cached(const Var<Scalar>& x, DecoderCache<Scalar>& cache) const;
  /// An empty cache for forward_cached(), with room for `capacity` positions, and with the keys and
  /// values of `source` (1, n_s, d_model) where there is cross-attention. Throws ValueError for an
  /// encoder.
  DecoderCache<Scalar> make_cache(Index capacity, const Var<Scalar>* source = nullptr) const;

  const TrunkConfig& config() const { return config_; }

 private:
  // `first` is the position of the first time step; `state` as for InputPositions.
  Var<Scalar> at_positions(const Var<Scalar>& x, Index first, Tensor<Scalar>* state) const;
  Var<Scalar> normalized(const Var<Scalar>& x) const { return norm_ ? norm_->forward(x) : x; }

  TrunkConfig config_;
  InputPositions<Scalar> positions_;
  Dropout<Scalar> dropout_;
  std::deque<TransformerBlock<Scalar>> blocks_;
  std::optional<Norm<Scalar>> norm_;
};

}  // namespace tapehead
