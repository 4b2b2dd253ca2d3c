#include "studies/sharing_variants.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "train/parameter_shapes.h"

namespace tapehead {

namespace {

constexpr Index kGroups = 2;  // key/value heads of grouped-query attention

SharingVariant shared(const ModelConfig& mha, std::string name, Index kv_heads,
                      SharedProjections projections = SharedProjections::kNone) {
  SharingVariant v{std::move(name), false, mha};
  v.model.kv_heads = kv_heads;
  v.model.share_qkv = projections;
  return v;
}

SharingVariant control(const ModelConfig& mha, Index heads, Index width) {
  SharingVariant v{fmt::format("h={} d_k={}", heads, width), true, mha};
  v.model.heads = v.model.kv_heads = heads;
  v.model.head_dim = width;
  return v;
}

}  // namespace

double parameters_of(const ModelConfig& model, const ModelSizes& sizes) {
  Config config;
  config.model = model;
  return parameter_shapes(config, sizes).count();
}

ModelConfig with_parameters(ModelConfig model, const ModelSizes& sizes, double parameters) {
  model.d_ff = 1;
  const double narrowest = parameters_of(model, sizes);
  model.d_ff = 2;
  const double each = parameters_of(model, sizes) - narrowest;
  const double more = std::round((parameters - narrowest) / each);
  model.d_ff = 1 + static_cast<Index>(std::max(more, 0.0));
  return model;
}

std::vector<SharingVariant> sharing_variants(const ModelConfig& mha, const ModelSizes& sizes) {
  const Index h = mha.heads, d_k = mha.effective_head_dim();
  if (h % kGroups != 0 || d_k % h != 0) {
    throw ValueError(
        fmt::format("sharing: {} heads of width {}; their number must be even, and "
                    "divide the width",
                    h, d_k));
  }
  std::vector<SharingVariant> variants = {shared(mha, "MHA", h),
                                          shared(mha, "GQA", kGroups),
                                          shared(mha, "MQA", 1),
                                          shared(mha, "Q = K", h, SharedProjections::kQK),
                                          shared(mha, "K = V", h, SharedProjections::kKV),
                                          shared(mha, "Q = K = V", h, SharedProjections::kQKV),
                                          control(mha, 1, d_k),
                                          control(mha, 2, d_k / 2),
                                          control(mha, h, d_k / h)};
  const double parameters = parameters_of(mha, sizes);
  for (SharingVariant& v : variants) v.model = with_parameters(v.model, sizes, parameters);
  return variants;
}

double cache_bytes_per_token(const ModelConfig& model) {
  return static_cast<double>(2 * model.layers * model.effective_kv_heads() *
                             model.effective_head_dim()) *
         sizeof(float);
}

}  // namespace tapehead
