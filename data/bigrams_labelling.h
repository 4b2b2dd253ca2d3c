#pragma once

#include <vector>

#include "data/labelling.h"

namespace tapehead {

/// A Markov chain in which each row has its own continuation of a few trigger symbols: asked is
/// what follows a trigger, from its second time on. Keys: length, symbols, triggers (0, 1, ... are
/// triggers). In this row 0 is followed by 7, and 1 by 4:
///
///   input   3 0 7 5 1 4 0 7 2 1
///   target  _ _ _ _ _ _ 7 _ _ 4
///
/// From other symbols the chain goes on by fixed probabilities, the same in every row: uneven ones,
/// proportional to the squares of exponential random numbers. The continuation of a trigger is
/// drawn evenly from all symbols but triggers.
///
/// Source: the bigram task of Bietti et al. 2023 (arXiv:2306.00802) with fixed triggers, whose
/// chain is that of the characters of Shakespeare, with 65 symbols, 5 triggers and length 256.
class BigramsLabelling : public Labelling {
 public:
  static constexpr Index kDefaultLength = 64;
  static constexpr Index kDefaultSymbols = 32;
  static constexpr Index kDefaultTriggers = 5;
  static constexpr Index kMaxLength = 4096;
  static constexpr Index kMaxTriggers = 20;

  /// Throws ValueError unless length is from 4 to 4096, symbols from 4 to 62 and triggers from 1 to
  /// 20, but at most half of the symbols.
  explicit BigramsLabelling(Index length = kDefaultLength, Index symbols = kDefaultSymbols,
                            Index triggers = kDefaultTriggers);

  std::string name() const override { return "bigrams"; }
  std::vector<std::string> symbols() const override;
  Index length() const override { return length_; }
  double sequence_count() const override;
  std::string size_keys() const override { return "length or symbols"; }
  double chance() const override { return 1 / static_cast<double>(symbols_ - triggers_); }
  void draw(Random& random, std::span<TokenId> inputs, std::span<TokenId> targets) const override;

  /// The probability that `to` follows `from`, which is no trigger.
  double probability(TokenId from, TokenId to) const;

 private:
  TokenId next(Random& random, TokenId from) const;

  Index length_;
  Index symbols_;
  Index triggers_;
  std::vector<double> cumulated_;  // symbols x symbols: probabilities of a row, added up
};

}  // namespace tapehead
