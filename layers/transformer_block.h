#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "layers/attention.h"
#include "layers/dropout.h"
#include "layers/feed_forward.h"
#include "layers/norm.h"

namespace tapehead {

struct BlockConfig {
  Index width = 0;
  Index heads = 1;
  Index kv_heads = 0;  ///< 0: as many as heads
  Index hidden = 0;    ///< of the feed-forward layer
  NormKind norm = NormKind::kLayer;
  std::optional<double> norm_eps;  ///< absent: the default of that norm
  bool pre_norm = true;
  Activation activation = Activation::kGelu;
  AttentionScale scale;
  AttentionTraits attention;
  bool bias = true;
  double dropout = 0.0;
};

/// Collects each block's attention weights (batch, heads, n, n), first block first.
template <typename Scalar>
using AttentionMaps = std::vector<Var<Scalar>>;

/// Self-attention and a feed-forward layer, each in a residual branch.
///
///   pre-norm    h = x + dropout(attention(norm1(x)))     y = h + dropout(feed_forward(norm2(h)))
///   post-norm   h = norm1(x + dropout(attention(x)))     y = norm2(h + dropout(feed_forward(h)))
///
/// (Post-norm: Vaswani et al. 2017; pre-norm: Xiong et al. 2020.)
/// x: (batch, n, width) -> the same. Parameters: norm1, attention, norm2, feed_forward.
template <typename Scalar>
class TransformerBlock {
 public:
  /// `bias`: of the attention scores, shared by a model's blocks; none if null.
  TransformerBlock(const Builder<Scalar>& at, const BlockConfig& config,
                   std::shared_ptr<const DistanceBias<Scalar>> bias = nullptr);

  /// With `maps`, appends this block's attention weights; the result has the same bits.
  Var<Scalar> forward(const Var<Scalar>& x, const Mask& mask = {},
                      AttentionMaps<Scalar>* maps = nullptr) const;
  /// The block on the positions that follow those in the cache, of a decoder. x: (1, n, width).
  Var<Scalar> forward_cached(const Var<Scalar>& x, KvCache<Scalar>& cache) const;
  /// An empty cache for forward_cached().
  KvCache<Scalar> make_cache(Index capacity) const { return attention_.make_cache(capacity); }

 private:
  // The two residual branches around `attend`, which maps x to self-attention of x.
  template <typename Attend>
  Var<Scalar> residuals(const Var<Scalar>& x, const Attend& attend) const;

  bool pre_norm_;
  Norm<Scalar> norm1_;
  MultiHeadAttention<Scalar> attention_;
  Dropout<Scalar> dropout1_;
  Norm<Scalar> norm2_;
  FeedForward<Scalar> feed_forward_;
  Dropout<Scalar> dropout2_;
};

}  // namespace tapehead
