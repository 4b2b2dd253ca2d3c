#pragma once

#include <string>
#include <vector>

#include "autograd/ops/attention.h"
#include "autograd/tape.h"

namespace tapehead {

/// Which sequence an attention layer of a model looks from, and which one it looks at.
enum class AttentionKind {
  kSelf,   ///< from the model's own sequence (of an encoder-decoder, the target) to itself
  kCross,  ///< from the target to the source
  kSource  ///< from the source to itself, in the encoder of an encoder-decoder
};

/// True if the queries are positions of the source.
constexpr bool queries_source(AttentionKind kind) { return kind == AttentionKind::kSource; }
/// True if the keys are positions of the source.
constexpr bool looks_at_source(AttentionKind kind) { return kind != AttentionKind::kSelf; }

/// What one attention layer computed in one pass.
template <typename Scalar>
struct AttentionTrace {
  std::string layer;  ///< path of the layer: "blocks.0.attention"
  AttentionKind kind = AttentionKind::kSelf;
  Var<Scalar> q, k, v;       ///< as the op takes them: projected, rotated, normalised
  Var<Scalar> score_weight;  ///< of additive scores; undefined for dot products
  Var<Scalar> distance_bias;
  AttentionOptions options;
  Var<Scalar> weights;  ///< (batch, heads, n_q, n_k), before dropout
};

/// What a pass through a model computed on the way, for whoever wants to look at it. Tracing
/// changes no bit of the result. The Vars keep their values alive and, after tape.keep_grad(), have
/// gradients.
template <typename Scalar>
struct ModelTrace {
  Var<Scalar> embedded;                           ///< (batch, n, width), before positions
  Var<Scalar> embedded_source;                    ///< of an encoder-decoder
  std::vector<AttentionTrace<Scalar>> attention;  ///< in the order of computation
};

}  // namespace tapehead
