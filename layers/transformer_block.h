#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "layers/attention.h"
#include "layers/dropout.h"
#include "layers/feed_forward.h"
#include "layers/norm.h"
#include "layers/positions.h"
#include "layers/sequence_model.h"

namespace tapehead {

struct BlockConfig {
  Index d_model = 0;
  Index heads = 1;
  Index kv_heads = 0;  ///< 0: as many as heads
  Index head_dim = 0;  ///< 0: d_model / heads
  Index d_ff = 0;      ///< width of the feed-forward layer
  NormPlacement norm = NormPlacement::kPre;
  NormKind norm_kind = NormKind::kLayer;
  std::optional<double> norm_eps;  ///< absent: the default of that norm
  Activation activation = Activation::kGelu;
  AttentionScale scale;
  AttentionTraits attention;
  bool bias = true;
  double dropout = 0.0;
  bool cross_attention = false;  ///< to a source, between self-attention and feed-forward

  /// Its self-attention, where queries and keys are rotated so, and no sequence is expected to be
  /// longer than `length`. Throws ValueError for size_conflicts().
  AttentionConfig self_attention(Rotary rotary = Rotary::kNone, Index length = 0) const;
};

/// What a decoder's cross-attention looks at.
template <typename Scalar>
struct EncodedSource {
  Var<Scalar> states;  ///< (batch, n_s, d_model)
  Mask mask;           ///< hides padding
};

/// Self-attention and a feed-forward layer, each in a residual branch: an encoder layer, or with a
/// causal mask that of a decoder.
///
///   pre-norm    h = x + dropout(attention(norm1(x)))     y = h + dropout(feed_forward(norm2(h)))
///   post-norm   h = norm1(x + dropout(attention(x)))     y = norm2(h + dropout(feed_forward(h)))
///
/// With cross-attention, the decoder layer of an encoder-decoder: between the two stands a third
/// branch of the same form, cross_norm and cross_attention, whose keys and values are the source.
/// (Post-norm: Vaswani et al. 2017; pre-norm: Xiong et al. 2020.)
/// x: (batch, n, d_model) -> the same. Parameters: norm1, attention, cross_norm and cross_attention
/// if asked for, norm2, feed_forward.
template <typename Scalar>
class TransformerBlock {
 public:
  /// `positions`: what self-attention knows of them.
  TransformerBlock(const Builder<Scalar>& at, const BlockConfig& config,
                   const AttentionPositions<Scalar>& positions = {});

  /// With `trace`, appends what this block's attention computed. `source` is needed with
  /// cross-attention. Throws ValueError if it is missing.
  Var<Scalar> forward(const Var<Scalar>& x, const Mask& mask = {},
                      ModelTrace<Scalar>* trace = nullptr,
                      const EncodedSource<Scalar>* source = nullptr) const;
  /// The block on the positions that follow those in the cache, of a decoder. x: (1, n, d_model).
  /// `source`, needed with cross-attention, is that of make_source_cache().
  Var<Scalar> forward_cached(const Var<Scalar>& x, KvCache<Scalar>& cache,
                             const KvCache<Scalar>* source = nullptr) const;
  /// An empty cache for forward_cached().
  KvCache<Scalar> make_cache(Index capacity) const { return attention_.make_cache(capacity); }
  /// The keys and values of a source (1, n_s, d_model), computed once for all positions.
  KvCache<Scalar> make_source_cache(const Var<Scalar>& states) const;

 private:
  struct Cross {
    Norm<Scalar> norm;
    MultiHeadAttention<Scalar> attention;
    Dropout<Scalar> dropout;
  };

  static std::optional<Cross> make_cross(const Builder<Scalar>& at, const BlockConfig& config,
                                         Index length);

  // A residual branch around f.
  template <typename F>
  Var<Scalar> residual(const Var<Scalar>& x, const Norm<Scalar>& norm,
                       const Dropout<Scalar>& dropout, const F& f) const;
  // The residual branches around `attend` and `look`, which map x to self- and cross-attention.
  template <typename Attend, typename Look>
  Var<Scalar> residuals(const Var<Scalar>& x, const Attend& attend, const Look& look) const;

  NormPlacement placement_;
  Norm<Scalar> norm1_;
  MultiHeadAttention<Scalar> attention_;
  Dropout<Scalar> dropout1_;
  std::optional<Cross> cross_;
  Norm<Scalar> norm2_;
  FeedForward<Scalar> feed_forward_;
  Dropout<Scalar> dropout2_;
};

}  // namespace tapehead
