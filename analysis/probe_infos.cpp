#include "analysis/probe_infos.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

constexpr ProbeInfo::Sample kAttentionSamples[] = {
    {.name = "attention/weights",
     .shape = "layers, heads, n_q, n_k",
     .meaning = "of self-attention, for the first row",
     .title = "Attention",
     .unit = "weight"},
    {.name = "attention/cross",
     .shape = "layers, heads, n_q, n_k",
     .meaning = "encoder_decoder: of the target to the source",
     .title = "Attention to the source",
     .unit = "weight"},
    {.name = "attention/source",
     .shape = "layers, heads, n_q, n_k",
     .meaning = "encoder_decoder: of the source to itself",
     .title = "Attention within the source",
     .unit = "weight"},
};
constexpr ProbeInfo::Sample kLogitSamples[] = {
    {.name = "logits/std",
     .shape = "layers, heads",
     .meaning = "standard deviation of a query's logits: the root of their mean variance",
     .title = "Spread of the logits",
     .unit = "standard deviation"},
    {.name = "logits/abs_mean",
     .shape = "layers, heads",
     .meaning = "their mean size",
     .title = "Size of the logits",
     .unit = "mean absolute value"},
    {.name = "logits/max",
     .shape = "layers, heads",
     .meaning = "their largest size",
     .title = "Largest logit",
     .unit = "logit"},
};
constexpr ProbeInfo::Sample kEntropySamples[] = {
    {.name = "entropy/mean",
     .shape = "layers, heads",
     .meaning = "mean entropy of a query's weights, in nats",
     .title = "Entropy of a query's attention",
     .unit = "nats, mean over queries"},
    {.name = "entropy/max_weight",
     .shape = "layers, heads",
     .meaning = "mean of a query's largest weight",
     .title = "Largest weight of a query",
     .unit = "mean over queries"},
    {.name = "entropy/above_0.99",
     .shape = "layers, heads",
     .meaning = "share of queries with a weight above 0.99",
     .title = "Queries with a weight above 0.99",
     .unit = "share of queries"},
    {.name = "entropy/exact_one",
     .shape = "layers, heads",
     .meaning = "share of queries with a weight that is exactly 1 in float32",
     .title = "Queries with a weight of exactly 1",
     .unit = "share of queries"},
};
constexpr ProbeInfo::Sample kGradientSamples[] = {
    {.name = "gradients/q",
     .shape = "layers, heads",
     .meaning = "norm of the loss's gradient at the queries",
     .title = "Gradient at the queries",
     .unit = "norm"},
    {.name = "gradients/k",
     .shape = "layers, kv_heads",
     .meaning = "the same at the keys",
     .title = "Gradient at the keys",
     .unit = "norm"},
    {.name = "gradients/W_Q",
     .shape = "layers",
     .meaning =
         "norm of the update's gradient at the weights of the queries, before clipping; none at "
         "step 0",
     .title = "Gradient of W_Q",
     .unit = "norm"},
    {.name = "gradients/W_K",
     .shape = "layers",
     .meaning = "the same of the keys",
     .title = "Gradient of W_K",
     .unit = "norm"},
    {.name = "gradients/W_V",
     .shape = "layers",
     .meaning = "the same of the values",
     .title = "Gradient of W_V",
     .unit = "norm"},
    {.name = "gradients/W_O",
     .shape = "layers",
     .meaning = "the same of the outputs",
     .title = "Gradient of W_O",
     .unit = "norm"},
};
constexpr ProbeInfo kProbeInfos[] = {
    {.name = "attention", .title = "Attention", .samples = kAttentionSamples},
    {.name = "logits", .title = "Logits", .samples = kLogitSamples},
    {.name = "entropy", .title = "Entropy and saturation", .samples = kEntropySamples},
    {.name = "gradients", .title = "Gradients", .samples = kGradientSamples},
};

}  // namespace

std::span<const ProbeInfo> probe_infos() { return kProbeInfos; }

const ProbeInfo& probe_info(std::string_view name) {
  const auto* const found = std::ranges::find(kProbeInfos, name, &ProbeInfo::name);
  if (found == std::end(kProbeInfos)) {
    throw ValueError(fmt::format("probe: there is none called '{}'", name));
  }
  return *found;
}

const ProbeInfo::Sample* find_probe_sample(std::string_view name) {
  for (const ProbeInfo& probe : kProbeInfos) {
    for (const ProbeInfo::Sample& sample : probe.samples) {
      if (sample.name == name) return &sample;
    }
  }
  return nullptr;
}

}  // namespace tapehead
