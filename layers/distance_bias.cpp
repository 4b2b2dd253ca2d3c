#include "layers/distance_bias.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "autograd/ops/embedding.h"
#include "autograd/ops/permute.h"
#include "base/error.h"

namespace tapehead {

namespace {

// The first `count` of 2^(-8 h / heads), taken in steps of `step` from h = 1.
void append_slopes(std::vector<double>& slopes, Index heads, Index step, Index count) {
  for (Index i = 0; i < count; ++i) {
    const auto h = static_cast<double>(1 + i * step);
    slopes.push_back(std::exp2(-8.0 * h / static_cast<double>(heads)));
  }
}

}  // namespace

std::vector<double> alibi_slopes(Index heads) {
  const auto lower = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  append_slopes(slopes, lower, 1, lower);
  append_slopes(slopes, 2 * lower, 2, heads - lower);
  return slopes;
}

Index t5_bucket(Index distance, bool bidirectional) {
  const Index buckets = bidirectional ? kT5Buckets / 2 : kT5Buckets;
  const Index first = bidirectional && distance > 0 ? buckets : 0;
  const Index far = bidirectional ? std::abs(distance) : std::max(-distance, Index{0});
  const Index exact = buckets / 2;
  if (far < exact) return first + far;
  const auto ratio = [exact](Index x) {
    return std::log(static_cast<double>(x) / static_cast<double>(exact));
  };
  // Where the quotient is a whole number, rounding must not fall below it.
  constexpr double kRounding = 1e-9;
  const double share = ratio(far) / ratio(kT5FarthestDistance) + kRounding;
  const auto beyond = static_cast<Index>(share * static_cast<double>(buckets - exact));
  return first + std::min(exact + beyond, buckets - 1);
}

std::optional<AttentionConflict> distance_bias_conflict(DistanceBiasKind kind, Index heads,
                                                        bool bidirectional) {
  const Index needed = bidirectional ? 3 : 2;
  if (kind != DistanceBiasKind::kHardAlibi || heads >= needed) return std::nullopt;
  return AttentionConflict{
      AttentionOption::kHeads, AttentionOption::kPosition,
      fmt::format("Hard-ALiBi with {} heads", heads),
      fmt::format("head 1 sees its own position only and the last head has no positions, so {} "
                  "attention needs at least {} heads",
                  bidirectional ? "an encoder's" : "causal", needed)};
}

template <typename Scalar>
DistanceBias<Scalar>::DistanceBias(const Builder<Scalar>& at, DistanceBiasKind kind, Index heads,
                                   bool bidirectional)
    : kind_(kind), heads_(heads), bidirectional_(bidirectional) {
  if (heads < 1) throw ValueError(fmt::format("{}: {} heads; at least 1", at.path(), heads));
  if (const auto conflict = distance_bias_conflict(kind, heads, bidirectional)) {
    throw ValueError(conflict->message(at.path()));
  }
  if (kind == DistanceBiasKind::kAlibi && !at.shapes_only()) slopes_ = alibi_slopes(heads);
  if (kind == DistanceBiasKind::kT5) weight_ = &at.embedding("weight", kT5Buckets, heads);
}

template <typename Scalar>
Scalar DistanceBias<Scalar>::fixed_bias(Index h, Index distance) const {
  const Index far = std::abs(distance);
  if (kind_ == DistanceBiasKind::kAlibi) {
    return static_cast<Scalar>(-slopes_[static_cast<std::size_t>(h)] * static_cast<double>(far));
  }
  const bool sees = h == heads_ - 1 || far <= h;
  // Forbids, and is no infinity for which a check of finite values would stop.
  return sees ? Scalar(0) : std::numeric_limits<Scalar>::lowest();
}

template <typename Scalar>
Var<Scalar> DistanceBias<Scalar>::table(Tape<Scalar>& tape, Index n_q, Index n_k) const {
  const Index distances = std::max(n_q + n_k - 1, Index{0});
  const Index first = 1 - n_k;  // from the last query, which stands at the last key, to key 0
  if (weight_ != nullptr) {
    TokenTensor buckets = tape.template allocate<TokenId>({distances});
    for (Index r = 0; r < distances; ++r) {
      buckets[r] = static_cast<TokenId>(t5_bucket(first + r, bidirectional_));
    }
    return permute(embedding(tape.parameter(*weight_), buckets), {1, 0});
  }
  Tensor<Scalar> bias = tape.allocate({heads_, distances});
  for (Index h = 0; h < heads_; ++h) {
    for (Index r = 0; r < distances; ++r) {
      bias[h * distances + r] = fixed_bias(h, first + r);
    }
  }
  return tape.leaf(bias);
}

template class DistanceBias<float>;
template class DistanceBias<double>;

}  // namespace tapehead
