#include "train/config/words.h"

#include <vector>

namespace tapehead {

namespace {

// Every word once; of the kinds of model, the table of their traits has them.

constexpr Word<PositionKind> kPositions[] = {
    {PositionKind::kLearned, "learned",
     "a learned vector for each position, up to the length of the training"},
    {PositionKind::kSinusoidal, "sinusoidal", "sines and cosines of the position"},
    {PositionKind::kFloater, "floater", "vectors that follow learned continuous dynamics"},
    {PositionKind::kRecurrent, "recurrent",
     "a recurrent network reads along, and its state is added"},
    {PositionKind::kRope, "rope",
     "rotary: queries and keys are turned by their position, in neighbouring pairs"},
    {PositionKind::kRopeHalves, "rope_halves", "the same in pairs from the two halves of a head"},
    {PositionKind::kAlibi, "alibi", "scores fall linearly with the distance"},
    {PositionKind::kHardAlibi, "hard_alibi",
     "head h sees a distance below h only, the last head all"},
    {PositionKind::kT5, "t5", "a learned bias on the scores for each head and range of distances"},
    {PositionKind::kNone, "none", "only the causal mask tells an order"},
};

constexpr Word<AttentionScores> kScores[] = {
    {AttentionScores::kDot, "dot", "scale * q . k"},
    {AttentionScores::kAdditive, "additive", "scale * w . tanh(q + k), w learned for each head"},
};

constexpr Word<AttentionScale::Kind> kScales[] = {
    {AttentionScale::Kind::kInvSqrt, "inv_sqrt",
     "1/sqrt(d_k), the width of a head; 1 with additive scores"},
    {AttentionScale::Kind::kNone, "none", "1"},
    {AttentionScale::Kind::kSqrt, "sqrt", "sqrt(d_k): a mistake worth studying"},
    {AttentionScale::Kind::kLearned, "learned", "a parameter that starts at 1/sqrt(d_k)"},
    {AttentionScale::Kind::kLogLength, "log_length",
     "log(n)/sqrt(d_k), n the number of keys that the query sees"},
};

constexpr Word<SharedProjections> kSharings[] = {
    {SharedProjections::kNone, "none", "each has a projection of its own"},
    {SharedProjections::kQK, "qk", "Q = K: scores are symmetric"},
    {SharedProjections::kKV, "kv", "K = V"},
    {SharedProjections::kQKV, "qkv", "Q = K = V"},
};

constexpr Word<NormPlacement> kNormPlacements[] = {
    {NormPlacement::kPre, "pre", "before each sublayer, and once at the end"},
    {NormPlacement::kPost, "post", "after the residual sum of each sublayer"},
};

constexpr Word<NormKind> kNormKinds[] = {
    {NormKind::kLayer, "layer", "LayerNorm"},
    {NormKind::kRms, "rms", "RMSNorm"},
};

constexpr Word<Activation> kActivations[] = {
    {Activation::kGelu, "gelu", "x Phi(x), Phi the normal distribution"},
    {Activation::kGeluTanh, "gelu_tanh", "the same, with the approximation by tanh"},
    {Activation::kRelu, "relu", "max(x, 0)"},
    {Activation::kSilu, "silu", "x sigmoid(x)"},
};

constexpr Word<InitOptions::Scheme> kInits[] = {
    {InitOptions::Scheme::kPytorch, "pytorch", "PyTorch's defaults"},
    {InitOptions::Scheme::kNormal, "normal",
     "N(0, 0.02), residual projections divided by sqrt(2 * `layers`)"},
    {InitOptions::Scheme::kUnitQueriesAndKeys, "unit_qk",
     "PyTorch's, but queries and keys of attention have variance 1"},
};

constexpr Word<OptimizerKind> kOptimizers[] = {
    {OptimizerKind::kAdam, "adam", "weight decay is part of the gradient"},
    {OptimizerKind::kAdamW, "adamw", "weight decay is decoupled"},
    {OptimizerKind::kSgd, "sgd", "gradient descent, with momentum if asked for"},
};

constexpr Word<ScheduleKind> kSchedules[] = {
    {ScheduleKind::kConstant, "constant", "`lr` to the end"},
    {ScheduleKind::kLinear, "linear", "falls to `min_lr` along a line"},
    {ScheduleKind::kCosine, "cosine", "falls to `min_lr` along half a cosine"},
    {ScheduleKind::kInverseSqrt, "inverse_sqrt", "falls as 1/sqrt(step), no lower than `min_lr`"},
};

constexpr Word<ProbeChoice::Mode> kProbeModes[] = {
    {ProbeChoice::Mode::kAuto, "auto",
     "attention and entropy, where the model has attention and there are not too many weights"},
    {ProbeChoice::Mode::kNone, "none", "nothing"},
};

constexpr Word<ProbeKind> kProbeKinds[] = {
    {ProbeKind::kAttention, "attention", "the attention weights of one held-out row"},
    {ProbeKind::kLogits, "logits", "spread and size of the scores before the softmax"},
    {ProbeKind::kEntropy, "entropy", "how sharp the attention of each head is"},
    {ProbeKind::kGradients, "gradients", "norms of the gradients at queries, keys and projections"},
};

}  // namespace

template <>
std::span<const Word<ModelKind>> words() {
  static const std::vector<Word<ModelKind>> kWords = [] {
    std::vector<Word<ModelKind>> all;
    for (const ModelTraits& t : model_traits()) all.push_back({t.kind, t.name, t.meaning});
    return all;
  }();
  return kWords;
}
template <>
std::span<const Word<PositionKind>> words() {
  return kPositions;
}
template <>
std::span<const Word<AttentionScores>> words() {
  return kScores;
}
template <>
std::span<const Word<AttentionScale::Kind>> words() {
  return kScales;
}
template <>
std::span<const Word<SharedProjections>> words() {
  return kSharings;
}
template <>
std::span<const Word<NormPlacement>> words() {
  return kNormPlacements;
}
template <>
std::span<const Word<NormKind>> words() {
  return kNormKinds;
}
template <>
std::span<const Word<Activation>> words() {
  return kActivations;
}
template <>
std::span<const Word<InitOptions::Scheme>> words() {
  return kInits;
}
template <>
std::span<const Word<OptimizerKind>> words() {
  return kOptimizers;
}
template <>
std::span<const Word<ScheduleKind>> words() {
  return kSchedules;
}
template <>
std::span<const Word<ProbeChoice::Mode>> words() {
  return kProbeModes;
}
template <>
std::span<const Word<ProbeKind>> words() {
  return kProbeKinds;
}

}  // namespace tapehead
