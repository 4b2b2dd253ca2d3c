#pragma once

#include <optional>
#include <vector>

#include "autograd/tape.h"
#include "layers/attention_conflict.h"
#include "layers/builder.h"

namespace tapehead {

enum class DistanceBiasKind {
  kAlibi,
  kHardAlibi,
  kT5,
};

/// What is wrong with so many heads for such a bias, if anything is. The first head of Hard-ALiBi
/// sees its own position only, and the last one has no positions: without a causal mask there must
/// be one between them.
std::optional<AttentionConflict> distance_bias_conflict(DistanceBiasKind kind, Index heads,
                                                        bool bidirectional);

/// Positions as a bias on the attention scores that depends on head and distance alone. Query i
/// stands at key i + (n_k - n_q), as for a causal mask, and the distance of key j is its position
/// minus the query's: negative for the past.
///
/// - ALiBi (Press et al. 2022): -slope_h * |distance|, with the slopes of alibi_slopes().
/// - Hard-ALiBi (Jelassi et al. 2024): heads h = 1 .. heads - 1 see keys with |distance| < h only,
///   the last head sees all, without positions.
/// - T5 (Raffel et al. 2020, section 2.1): a learned number for each head and bucket of distances,
///   see t5_bucket(); all layers of a model share the table.
///
/// All three work past the training length: ALiBi and Hard-ALiBi are defined for any distance, T5
/// has one bucket for all that are far away.
/// Parameters: weight (kT5Buckets, heads) for T5, else none.
template <typename Scalar>
class DistanceBias {
 public:
  /// `bidirectional`: keys after the query are told from those before (T5), which an encoder needs.
  /// Throws ValueError if there are too few heads.
  DistanceBias(const Builder<Scalar>& at, DistanceBiasKind kind, Index heads, bool bidirectional);

  /// The bias of every distance, (heads, n_q + n_k - 1), as attention() takes it.
  Var<Scalar> table(Tape<Scalar>& tape, Index n_q, Index n_k) const;

 private:
  // What ALiBi or Hard-ALiBi adds to the scores of head h (from 0).
  Scalar fixed_bias(Index h, Index distance) const;

  DistanceBiasKind kind_;
  Index heads_;
  bool bidirectional_;
  std::vector<double> slopes_;
  const Parameter<Scalar>* weight_ = nullptr;
};

inline constexpr Index kT5Buckets = 32;
inline constexpr Index kT5FarthestDistance = 128;

/// ALiBi's slope of each head: 2^(-8h/H), h = 1 .. H, if H is a power of two. Otherwise, as the
/// authors' code has it, those of the next lower power of two n, followed by every other one of 2n,
/// from the first on.
std::vector<double> alibi_slopes(Index heads);

/// T5's bucket of a distance. Looking back only, there are 32 buckets for the past, and all of the
/// future is bucket 0; looking both ways, 16 for the past and distance 0, and 16 for the future.
/// Half of a direction's n buckets hold one distance each, 0 .. n/2 - 1; the others grow as the
/// logarithm up to distance 128, and the last one holds all beyond.
Index t5_bucket(Index distance, bool bidirectional);

}  // namespace tapehead
