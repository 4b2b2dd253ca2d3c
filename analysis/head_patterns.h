#pragma once

#include <span>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// What one head attends to in one sequence.
struct HeadAttention {
  const float* weights = nullptr;  ///< (queries, keys), row-major
  Index queries = 0, keys = 0;
  /// The tokens at the positions, kPadToken where there is none; empty if these are real numbers.
  std::span<const TokenId> query_tokens, key_tokens;
  bool cross = false;  ///< queries and keys are positions of two sequences
};

/// Shares of a head's attention that go to keys of a certain kind. With A the weights of the
/// sequence and P one where key j is of that kind for query i, else zero, a share is
///
///   sum_ij A_ij P_ij / sum_ij A_ij
///
///   previous    P_ij = 1 if j = i - 1
///   duplicate   P_ij = 1 if token_j = token_i and j < i
///   induction   P_ij = 1 if token_{j-1} = token_i and j <= i
///
/// These are TransformerLens's detection patterns with its error measure "mul"
/// (TransformerLensOrg/TransformerLens, transformer_lens/head_detector.py). NaN where it has no
/// meaning: for cross-attention, and the last two without tokens.
struct PatternShares {
  double previous = 0, duplicate = 0, induction = 0;
};

PatternShares pattern_shares(const HeadAttention& a);

/// The largest shares that any head can have: those of queries that have a key of that kind. The
/// first position has no previous one, and most tokens of a row may be no duplicates.
PatternShares largest_shares(std::span<const TokenId> tokens, Index length);

/// Means over the queries of one sequence (all that are no padding and see a key, the first one
/// included, which in a decoder sees nothing but itself).
struct AttentionShape {
  double first = 0;     ///< weight of the first key
  double entropy = 0;   ///< -sum_j A_ij log A_ij, in nats
  double distance = 0;  ///< sum_j A_ij |i - j|; NaN for cross-attention
};

AttentionShape attention_shape(const HeadAttention& a);

/// Adds to mass[token] the attention that its positions get, over all queries.
void add_token_mass(const HeadAttention& a, std::span<double> mass);

}  // namespace tapehead
