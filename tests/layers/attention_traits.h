#pragma once

#include <vector>

#include "layers/attention.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead::testing {

/// Self-attention of width 8 that expects 16 positions.
inline AttentionConfig with_traits(const AttentionTraits& traits, Index heads = 2,
                                   Index kv_heads = 0) {
  AttentionConfig c = AttentionConfig::self_attention(8, heads, kv_heads);
  c.traits = traits;
  c.length = 16;
  return c;
}

struct SelfAttention {
  Tensor<double> output, weights;
};

/// Self-attention of x by a layer whose initial values depend on the configuration alone.
inline SelfAttention self_attention(const AttentionConfig& config, const Tensor<double>& x,
                                    const Mask& mask = {}) {
  LayerFixture f;
  const MultiHeadAttention<double> layer(f.root / "a", config);
  const auto in = f.tape.leaf(x);
  const auto r = layer.forward_with_weights(in, in, in, mask);
  expect_bits_equal(layer.forward(in, in, in, mask).value(), r.output.value());
  return {r.output.value(), r.weights.value()};
}

/// The same with rotary positions.
inline AttentionConfig with_rotary(Rotary rotary, Index heads = 2, Index kv_heads = 0) {
  AttentionConfig c = with_traits({}, heads, kv_heads);
  c.rotary = rotary;
  return c;
}

/// One of each kind, all of which go with a causal mask and two heads of width 4.
inline std::vector<AttentionConfig> every_attention() {
  return {with_traits({}),
          with_traits({.scores = AttentionScores::kAdditive}),
          with_traits({.scores = AttentionScores::kAdditive, .soft_cap = 1}),
          with_traits({.share = SharedProjections::kQKV}),
          with_rotary(Rotary::kNeighbours),
          with_rotary(Rotary::kHalves),
          with_traits({.qk_norm = true}),
          with_traits({.soft_cap = 2}),
          with_traits({.sigma_reparam = true})};
}

}  // namespace tapehead::testing
