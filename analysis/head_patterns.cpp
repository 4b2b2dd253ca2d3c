#include "analysis/head_patterns.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "figures/attention_statistics.h"

namespace tapehead {

namespace {

constexpr double kNoShare = std::numeric_limits<double>::quiet_NaN();

TokenId token_at(std::span<const TokenId> tokens, Index i) {
  return tokens[static_cast<std::size_t>(i)];
}

// Calls f(query, its weights, their sum) for the queries that count.
template <typename F>
void for_each_query(const HeadAttention& a, const F& f) {
  for (Index i = 0; i < a.queries; ++i) {
    if (!a.query_tokens.empty() && token_at(a.query_tokens, i) == kPadToken) continue;
    const std::span<const float> row(a.weights + i * a.keys, static_cast<std::size_t>(a.keys));
    double sum = 0;
    for (const float w : row) sum += static_cast<double>(w);
    if (sum > 0) f(i, row, sum);
  }
}

bool is_previous(Index i, Index j) { return j == i - 1; }

bool is_duplicate(std::span<const TokenId> tokens, Index i, Index j) {
  return j < i && token_at(tokens, j) == token_at(tokens, i);
}

bool is_induction(std::span<const TokenId> tokens, Index i, Index j) {
  return j >= 1 && j <= i && token_at(tokens, j - 1) == token_at(tokens, i);
}

}  // namespace

PatternShares pattern_shares(const HeadAttention& a) {
  if (a.cross) return {kNoShare, kNoShare, kNoShare};
  PatternShares sums;
  double all = 0;
  for_each_query(a, [&](Index i, std::span<const float> row, double sum) {
    all += sum;
    for (Index j = 0; j <= i; ++j) {
      const auto w = static_cast<double>(row[static_cast<std::size_t>(j)]);
      if (is_previous(i, j)) sums.previous += w;
      if (a.key_tokens.empty()) continue;
      if (is_duplicate(a.key_tokens, i, j)) sums.duplicate += w;
      if (is_induction(a.key_tokens, i, j)) sums.induction += w;
    }
  });
  const bool tokens = !a.key_tokens.empty();
  return {sums.previous / all, tokens ? sums.duplicate / all : kNoShare,
          tokens ? sums.induction / all : kNoShare};
}

PatternShares largest_shares(std::span<const TokenId> tokens, Index length) {
  PatternShares queries;
  Index all = 0;
  for (Index i = 0; i < length; ++i) {
    if (!tokens.empty() && token_at(tokens, i) == kPadToken) continue;
    ++all;
    queries.previous += i > 0 ? 1 : 0;
    bool duplicate = false, induction = false;
    for (Index j = 0; j <= i && !tokens.empty(); ++j) {
      duplicate = duplicate || is_duplicate(tokens, i, j);
      induction = induction || is_induction(tokens, i, j);
    }
    queries.duplicate += duplicate ? 1 : 0;
    queries.induction += induction ? 1 : 0;
  }
  const auto n = static_cast<double>(all);
  if (tokens.empty()) return {queries.previous / n, kNoShare, kNoShare};
  return {queries.previous / n, queries.duplicate / n, queries.induction / n};
}

AttentionShape attention_shape(const HeadAttention& a) {
  AttentionShape sums;
  double queries = 0;
  for_each_query(a, [&](Index i, std::span<const float> row, double) {
    queries += 1;
    sums.first += static_cast<double>(row.front());
    sums.entropy += entropy(row);
    for (Index j = 0; j < a.keys; ++j) {
      const auto w = static_cast<double>(row[static_cast<std::size_t>(j)]);
      sums.distance += w * static_cast<double>(std::abs(i - j));
    }
  });
  return {sums.first / queries, sums.entropy / queries,
          a.cross ? kNoShare : sums.distance / queries};
}

void add_token_mass(const HeadAttention& a, std::span<double> mass) {
  for_each_query(a, [&](Index, std::span<const float> row, double) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (a.key_tokens[j] == kPadToken) continue;
      mass[static_cast<std::size_t>(a.key_tokens[j])] += static_cast<double>(row[j]);
    }
  });
}

}  // namespace tapehead
