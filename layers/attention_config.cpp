#include "layers/attention_config.h"

#include <cmath>
#include <utility>

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

void refuse(const std::vector<AttentionConflict>& conflicts, const std::string& path) {
  if (!conflicts.empty()) throw ValueError(conflicts.front().message(path));
}

namespace {

using Conflicts = std::vector<AttentionConflict>;

void add_if(bool wrong, Conflicts& to, AttentionConflict conflict) {
  if (wrong) to.push_back(std::move(conflict));
}

void add_kv_heads(Index heads, Index kv_heads, Conflicts& to) {
  add_if(kv_heads < 1 || heads % kv_heads != 0, to,
         {AttentionOption::kKvHeads, AttentionOption::kHeads,
          fmt::format("{} key/value heads, {} heads", kv_heads, heads),
          "the key/value heads must divide the heads"});
}

void add_rotary(const AttentionConfig& c, Conflicts& to) {
  if (c.rotary == Rotary::kNone) return;
  add_if(c.d_k % 2 != 0, to,
         {AttentionOption::kHeadDim, AttentionOption::kPosition,
          fmt::format("rotary positions, heads of width {}", c.d_k),
          "rotary positions turn pairs of numbers, so the width of a head, head_dim or d_model / "
          "heads, must be even"});
  add_if(c.traits.scores == AttentionScores::kAdditive, to,
         {AttentionOption::kPosition, AttentionOption::kScores, "rotary positions, additive scores",
          "rotary positions turn dot products into functions of distance, additive scores not; "
          "choose dot-product attention or other positions"});
}

void add_scale(const AttentionConfig& c, Conflicts& to) {
  using Kind = AttentionScale::Kind;
  const Kind scale = c.scale.kind;
  const bool additive = c.traits.scores == AttentionScores::kAdditive;
  add_if(additive && c.traits.qk_norm, to,
         {AttentionOption::kQkNorm, AttentionOption::kScores, "qk_norm, additive scores",
          "qk_norm is for dot products; leave it out, or choose dot-product attention"});
  add_if(
      additive && scale == Kind::kLogLength, to,
      {AttentionOption::kScale, AttentionOption::kScores, "the log-length scale, additive scores",
       "the log-length scale is for dot products; choose another scale, or dot-product "
       "attention"});
  const bool fixed = scale == Kind::kNone || scale == Kind::kSqrt || scale == Kind::kLogLength;
  add_if(c.traits.qk_norm && !additive && fixed, to,
         {AttentionOption::kScale, AttentionOption::kQkNorm, "qk_norm and another scale",
          "qk_norm learns the scale itself; leave the scale out, or give a number"});
}

void add_sharing(const AttentionConfig& c, Conflicts& to) {
  const SharedProjections share = c.traits.share;
  const bool query_is_key = share == SharedProjections::kQK || share == SharedProjections::kQKV;
  add_if(query_is_key && c.kv_heads != c.heads, to,
         {AttentionOption::kShare, AttentionOption::kKvHeads,
          fmt::format("Q = K, {} heads, {} key/value heads", c.heads, c.kv_heads),
          "queries and keys with one projection have as many heads; leave kv_heads out, or share "
          "keys and values alone"});
}

}  // namespace

std::vector<AttentionConflict> size_conflicts(Index d_model, Index heads, Index kv_heads,
                                              Index head_dim) {
  Conflicts conflicts;
  const bool fits =
      heads >= 1 && d_model >= 1 && head_dim >= 0 && (head_dim > 0 || d_model % heads == 0);
  add_if(!fits, conflicts,
         {AttentionOption::kHeads, AttentionOption::kDModel,
          fmt::format("{} heads, d_model {}", heads, d_model),
          "the heads must divide d_model, or head_dim must be set"});
  add_kv_heads(heads, kv_heads == 0 ? heads : kv_heads, conflicts);
  return conflicts;
}

AttentionConfig AttentionConfig::self_attention(Index d_model, Index heads, Index kv_heads,
                                                Index head_dim) {
  refuse(size_conflicts(d_model, heads, kv_heads, head_dim), "attention");
  AttentionConfig c;
  c.query_width = c.key_width = c.value_width = c.out_width = d_model;
  c.heads = heads;
  c.kv_heads = kv_heads == 0 ? heads : kv_heads;
  c.d_k = c.d_v = head_dim > 0 ? head_dim : d_model / heads;
  return c;
}

std::vector<AttentionConflict> AttentionConfig::conflicts() const {
  Conflicts all;
  add_kv_heads(heads, kv_heads, all);
  add_rotary(*this, all);
  add_scale(*this, all);
  add_sharing(*this, all);
  return all;
}

namespace {

void require(bool condition, const std::string& path, const std::string& what) {
  if (!condition) throw ValueError(fmt::format("{}: {}", path, what));
}

// Shared projections read inputs of one width, and give heads of one width.
void check_shared_widths(const AttentionConfig& c, const std::string& path) {
  const SharedProjections share = c.traits.share;
  const bool all = share == SharedProjections::kQKV;
  require((!all && share != SharedProjections::kQK) || c.query_width == c.key_width, path,
          fmt::format("Q = K needs inputs of one width, but queries have width {}, keys {}",
                      c.query_width, c.key_width));
  require((!all && share != SharedProjections::kKV) ||
              (c.key_width == c.value_width && c.d_k == c.d_v && c.value_projection),
          path,
          fmt::format("K = V needs a projection of values, inputs of one width and heads of one "
                      "width, but keys have width {} and heads of {}, values width {} and heads "
                      "of {}",
                      c.key_width, c.d_k, c.value_width, c.d_v));
}

}  // namespace

void AttentionConfig::check(const std::string& path) const {
  refuse(conflicts(), path);
  require(value_projection || value_width == kv_heads * d_v, path,
          fmt::format("without a projection, values of width {} must be {} kv heads of width {}",
                      value_width, kv_heads, d_v));
  require(
      traits.soft_cap >= 0 && std::isfinite(traits.soft_cap), path,
      fmt::format("the soft cap is {}; it must be a number > 0, or 0 for none", traits.soft_cap));
  check_shared_widths(*this, path);
}

}  // namespace tapehead
