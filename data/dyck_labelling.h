#pragma once

#include "data/labelling.h"

namespace tapehead {

/// Well-nested brackets of several kinds, at most `depth` open at a time. At each bracket: which
/// one closes the innermost open bracket, or '|' if none is open? Keys: length, depth, symbols
/// (kinds of brackets). With length 8, depth 2 and 2 kinds:
///
///   input   ( [ ] ) [ ( ) (
///   target  ) ] ) | ] ) ] )
///
/// The next bracket is that one, or any opening one if fewer than `depth` are open: so the targets
/// are the part of the set of possible next brackets that has to be remembered. Where both are
/// possible, each has probability 1/2; a row may break off before its brackets are closed.
///
/// Source: Yao et al. 2021 (arXiv:2105.11115), Dyck(k, D) with k = 8, D = 10. They predict the next
/// bracket and measure, as here, whether closing ones are right.
class DyckLabelling : public Labelling {
 public:
  static constexpr Index kDefaultLength = 64;
  static constexpr Index kDefaultDepth = 10;
  static constexpr Index kDefaultSymbols = 8;
  static constexpr Index kMaxLength = 4096;
  static constexpr Index kMaxDepth = 1000;
  static constexpr Index kMaxSymbols = 30;

  /// Throws ValueError unless length is from 2 to 4096, depth from 1 to 1000, symbols from 1 to 30.
  explicit DyckLabelling(Index length = kDefaultLength, Index depth = kDefaultDepth,
                         Index symbols = kDefaultSymbols);

  std::string name() const override { return "dyck"; }
  /// Opening brackets, then closing ones, then '|'.
  std::vector<std::string> symbols() const override;
  Index length() const override { return length_; }
  double sequence_count() const override { return sequence_count_; }
  std::string size_keys() const override { return "length, depth or symbols"; }
  double chance() const override { return chance_; }
  void draw(Random& random, std::span<TokenId> inputs, std::span<TokenId> targets) const override;

 private:
  /// Follows the distribution of the number of open brackets through the positions.
  void count();

  Index length_;
  Index depth_;
  Index symbols_;
  double sequence_count_ = 0;
  double chance_ = 0;
};

}  // namespace tapehead
