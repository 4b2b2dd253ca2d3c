#pragma once

#include <string>
#include <vector>

#include "base/types.h"
#include "layers/attention_conflict.h"

namespace tapehead {

/// The factor on attention scores, by the width of a head.
struct AttentionScale {
  enum class Kind {
    kInvSqrt,  ///< 1/sqrt(d_k) (Vaswani et al. 2017)
    kNone,     ///< 1
    kSqrt,     ///< sqrt(d_k): what dividing by d_k^-0.5 amounts to, a mistake worth studying
    kLearned,  ///< a parameter that starts at 1/sqrt(d_k): the inverse of a temperature
    /// log(n)/sqrt(d_k), n being the number of keys up to the last one that the causal mask and the
    /// key lengths let the query see (Chiang & Cholak 2022)
    kLogLength,
    kNumber
  };
  Kind kind = Kind::kInvSqrt;
  double number = 1.0;  ///< for kNumber

  /// The factor (for kLearned: its start; for kLogLength: without the logarithm).
  double factor(Index d_k) const;

  bool operator==(const AttentionScale&) const = default;
};

enum class AttentionScores {
  kDot,      ///< scale * q . k (Vaswani et al. 2017)
  kAdditive  ///< scale * w . tanh(q + k), w learned for each head (Bahdanau et al. 2015)
};

/// Which of the three projections of attention are one, with one weight and one bias.
enum class SharedProjections {
  kNone,
  kQK,  ///< Q = K: scores are symmetric
  kKV,  ///< K = V
  kQKV  ///< Q = K = V
};

/// Rotary positions of queries and keys, see rope(). Work at any position.
enum class Rotary { kNone, kNeighbours, kHalves };

/// What the attention layers of a model have in common beside their sizes.
struct AttentionTraits {
  AttentionScores scores = AttentionScores::kDot;
  SharedProjections share = SharedProjections::kNone;
  /// Queries and keys are divided by their lengths, head by head, and the scale is a parameter that
  /// starts at log2(length^2 - length), or the given number (Henry et al. 2020, section 3).
  bool qk_norm = false;
  double soft_cap = 0;         ///< c > 0: scores become c tanh(score / c)
  bool sigma_reparam = false;  ///< of all projections, see sigma_reparam()
};

/// Conflicts of the sizes of self-attention; kv_heads, head_dim: 0 for the usual ones.
std::vector<AttentionConflict> size_conflicts(Index d_model, Index heads, Index kv_heads,
                                              Index head_dim);

struct AttentionConfig {
  /// Of the inputs and the output: all d_model in self-attention.
  Index query_width = 0, key_width = 0, value_width = 0, out_width = 0;
  Index heads = 1;
  Index kv_heads = 1;      ///< 1: multi-query; heads: multi-head; between: grouped-query
  Index d_k = 0, d_v = 0;  ///< of one head: both head_dim in self-attention
  bool bias = true;
  bool value_projection = true;  ///< false: values are mixed as they are
  bool out_projection = true;    ///< false: heads are only concatenated
  AttentionScale scale;
  AttentionTraits traits;
  Rotary rotary = Rotary::kNone;
  Index length = 0;      ///< longest sequence that is expected
  double dropout = 0.0;  ///< of the weights

  /// Self-attention with d_k = d_v = `head_dim` (0: d_model / heads), and `kv_heads` as given (0:
  /// as many as heads). Throws ValueError for size_conflicts().
  static AttentionConfig self_attention(Index d_model, Index heads, Index kv_heads = 0,
                                        Index head_dim = 0);
  /// The options that do not go together.
  std::vector<AttentionConflict> conflicts() const;
  /// Throws ValueError, in the name of the layer at `path`, for conflicts() and for sizes that do
  /// not fit.
  void check(const std::string& path) const;
};

}  // namespace tapehead
