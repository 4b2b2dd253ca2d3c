#pragma once

#include <vector>

#include "data/labelling.h"

namespace tapehead {

/// Multi-query associative recall (MQAR): pairs of a key and a value, and later each of the keys
/// once again, with filler between; at each such query the value is asked. Keys: length, pairs,
/// symbols, power, random_fill. With length 14, 2 pairs, 12 symbols and filler 0:
///
///   input   2 8 4 7 0 0 4 0 0 0 0 0 2 0
///   target  _ _ _ _ _ _ 7 _ _ _ _ _ 8 _
///
/// With v symbols, keys are drawn from 1 to v/2 - 1, values from v/2 to v - 1, each once a row. The
/// (length - 2 pairs) / 2 places after the pairs are chosen without replacement, place i = 1, 2,
/// ... with probability proportional to i^(power - 1): queries come soon after the pairs, as
/// repetitions do in language. With random_fill, filler is any symbol, keys and values too.
///
/// Source: Arora et al. 2023 (arXiv:2312.04927), the construction of its library Zoology
/// (multiquery_ar.py). There rows come from a fixed set (figure 2: 8192 symbols, power 0.01, filler
/// 0, lengths 64, 128, 256 with 4, 8, 16 pairs, 100,000 rows); here each is new.
class MqarLabelling : public Labelling {
 public:
  static constexpr Index kDefaultLength = 64;
  static constexpr Index kDefaultPairs = 4;
  static constexpr Index kDefaultSymbols = 256;
  static constexpr double kDefaultPower = 0.01;
  static constexpr bool kDefaultRandomFill = false;
  static constexpr Index kMaxLength = 4096;
  static constexpr Index kMaxSymbols = 100'000;
  static constexpr double kMaxPower = 10;

  /// Throws ValueError unless length is even and from 4 to 4096, 4 * pairs at most length, symbols
  /// above length and at most 100,000, and power from 0 to 10.
  explicit MqarLabelling(Index length = kDefaultLength, Index pairs = kDefaultPairs,
                         Index symbols = kDefaultSymbols, double power = kDefaultPower,
                         bool random_fill = kDefaultRandomFill);

  std::string name() const override { return "mqar"; }
  /// The numbers from 0.
  std::vector<std::string> symbols() const override;
  Index length() const override { return length_; }
  double sequence_count() const override;
  std::string size_keys() const override { return "pairs or symbols"; }
  double chance() const override { return 1 / static_cast<double>(symbols_ - symbols_ / 2); }
  void draw(Random& random, std::span<TokenId> inputs, std::span<TokenId> targets) const override;

 private:
  /// Draws the places of the queries, in the order of the pairs, by place within those after them.
  void draw_places(Random& random, std::span<Index> places) const;

  Index length_;
  Index pairs_;
  Index symbols_;
  bool random_fill_;
  std::vector<double> weights_;  // of the places
};

}  // namespace tapehead
