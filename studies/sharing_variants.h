#pragma once

#include <string>
#include <vector>

#include "train/build_model.h"
#include "train/config/config.h"

namespace tapehead {

/// One way to share keys and values, or not to.
struct SharingVariant {
  std::string name;
  bool control = false;  ///< a smaller cache without sharing
  ModelConfig model;
};

/// `mha` itself, with h heads of width d_k; grouped-query attention with 2 key/value heads and
/// multi-query attention (Shazeer 2019; Ainslie et al. 2023); Q = K, K = V and Q = K = V; and the
/// controls of Shazeer 2019, table 1, whose keys and values are as small as those of multi-query
/// attention: 1 head of width d_k, 2 heads of width d_k / 2, h heads of width d_k / h. All have the
/// parameters of `mha`, as near as with_parameters() brings them. Throws ValueError unless h
/// is even and divides d_k.
std::vector<SharingVariant> sharing_variants(const ModelConfig& mha, const ModelSizes& sizes);

/// `model` with the feed-forward width that brings its number of parameters nearest to
/// `parameters`.
ModelConfig with_parameters(ModelConfig model, const ModelSizes& sizes, double parameters);

/// Number of parameters of a model.
double parameters_of(const ModelConfig& model, const ModelSizes& sizes);

/// Bytes of keys and values that a decoder keeps of each token in float32: 2 * layers * kv_heads *
/// d_k * 4. A cache keeps both where K = V, too.
double cache_bytes_per_token(const ModelConfig& model);

}  // namespace tapehead
