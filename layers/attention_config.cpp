#include "layers/attention_config.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

double AttentionScale::factor(Index d_k) const {
  const double root = std::sqrt(static_cast<double>(d_k));
  switch (kind) {
    case Kind::kInvSqrt:
    case Kind::kLearned:
    case Kind::kLogLength:
      return 1.0 / root;
    case Kind::kNone:
      return 1.0;
    case Kind::kSqrt:
      return root;
    case Kind::kNumber:
      return number;
  }
  return number;
}

AttentionConfig AttentionConfig::of_width(Index width, Index heads, Index kv_heads,
                                          Index head_dim) {
  if (kv_heads == 0) kv_heads = heads;
  if (heads < 1 || width < 1 || head_dim < 0 || (head_dim == 0 && width % heads != 0)) {
    throw ValueError(fmt::format(
        "attention: {} heads do not divide the width {}; choose a divisor of the width, "
        "or the width of a head",
        heads, width));
  }
  if (kv_heads < 1 || heads % kv_heads != 0) {
    throw ValueError(
        fmt::format("attention: {} kv heads do not divide {} heads; choose a divisor of the heads",
                    kv_heads, heads));
  }
  AttentionConfig c;
  c.query_width = c.key_width = c.value_width = c.out_width = width;
  c.heads = heads;
  c.kv_heads = kv_heads;
  c.d_k = c.d_v = head_dim > 0 ? head_dim : width / heads;
  return c;
}

namespace {

void require(bool condition, const std::string& path, const std::string& what) {
  if (!condition) throw ValueError(fmt::format("{}: {}", path, what));
}

void check_sharing(const AttentionConfig& c, const std::string& path) {
  const SharedProjections share = c.traits.share;
  const bool all = share == SharedProjections::kQKV;
  if (all || share == SharedProjections::kQK) {
    require(c.query_width == c.key_width && c.heads == c.kv_heads, path,
            fmt::format("Q = K needs inputs of one width and as many key heads as query heads, but "
                        "queries have width {} and {} heads, keys width {} and {} heads",
                        c.query_width, c.heads, c.key_width, c.kv_heads));
  }
  if (all || share == SharedProjections::kKV) {
    require(c.key_width == c.value_width && c.d_k == c.d_v && c.value_projection, path,
            fmt::format("K = V needs a projection of values, inputs of one width and heads of one "
                        "width, but keys have width {} and heads of {}, values width {} and heads "
                        "of {}",
                        c.key_width, c.d_k, c.value_width, c.d_v));
  }
}

void check_scores(const AttentionConfig& c, const std::string& path) {
  using Kind = AttentionScale::Kind;
  const Kind scale = c.scale.kind;
  require(!c.traits.qk_norm || scale == Kind::kInvSqrt || scale == Kind::kLearned ||
              scale == Kind::kNumber,
          path, "qk_norm learns the scale itself; leave the scale as it is, or give a number");
  if (c.traits.scores == AttentionScores::kDot) return;
  require(c.traits.rotary == Rotary::kNone, path,
          "rotary positions turn dot products into functions of distance, additive scores not; "
          "choose dot-product attention or other positions");
  require(!c.traits.qk_norm && scale != Kind::kLogLength, path,
          "qk_norm and the log-length scale are for dot products; choose dot-product attention, or "
          "leave them out");
}

}  // namespace

void AttentionConfig::check(const std::string& path) const {
  require(kv_heads >= 1 && heads % kv_heads == 0, path,
          fmt::format("heads {} must be a multiple of kv_heads {}", heads, kv_heads));
  require(value_projection || value_width == kv_heads * d_v, path,
          fmt::format("without a projection, values of width {} must be {} kv heads of width {}",
                      value_width, kv_heads, d_v));
  require(traits.rotary == Rotary::kNone || d_k % 2 == 0, path,
          fmt::format("rotary positions turn pairs of numbers, but heads have the odd width {}; "
                      "choose another width or number of heads",
                      d_k));
  require(
      traits.soft_cap >= 0 && std::isfinite(traits.soft_cap), path,
      fmt::format("the soft cap is {}; it must be a number > 0, or 0 for none", traits.soft_cap));
  check_sharing(*this, path);
  check_scores(*this, path);
}

}  // namespace tapehead
