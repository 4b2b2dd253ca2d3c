#pragma once

#include <string>
#include <vector>

#include "autograd/ops/attention.h"
#include "autograd/tape.h"

namespace tapehead {

/// What one attention layer computed in one pass.
template <typename Scalar>
struct AttentionTrace {
  std::string layer;         ///< path of the layer: "blocks.0.attention"
  bool cross = false;        ///< attends to a source
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
