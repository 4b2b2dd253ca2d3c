#pragma once

#include <string>
#include <vector>

#include "analysis/probe_sample.h"
#include "autograd/parameter_store.h"
#include "layers/model_trace.h"

// The numbers of each kind of probe, from what a pass through a model computed on the way.

namespace tapehead {

using AttentionTraces = std::vector<AttentionTrace<float>>;

/// Of the first row of the batch: "attention/weights" (layers, heads, n_q, n_k) of self-attention,
/// "attention/cross" of attention to a source, "attention/source" of the source to itself.
std::vector<ProbeSample> attention_samples(const AttentionTraces& layers);

/// "entropy/..." (layers, heads), over the rows of scores that see at least two keys.
std::vector<ProbeSample> entropy_samples(const AttentionTraces& layers);

/// "logits/..." (layers, heads), likewise.
std::vector<ProbeSample> logit_samples(const AttentionTraces& layers);

/// "gradients/q" (layers, heads), "gradients/k" (layers, kv_heads), after a backward pass that kept
/// both.
std::vector<ProbeSample> head_gradient_samples(const AttentionTraces& layers);

/// "gradients/W_Q" to "gradients/W_O" (layers) of gradients laid out as the store. Where two
/// projections are one, so are their gradients.
std::vector<ProbeSample> weight_gradient_samples(const std::vector<std::string>& layers,
                                                 const ParameterStore<float>& store,
                                                 const Tensor<float>& gradients);

}  // namespace tapehead
