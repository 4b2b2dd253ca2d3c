#pragma once

#include "data/labelling.h"

namespace tapehead {

/// A trigger '!' stands somewhere among random symbols, and once more at the end; asked is the
/// symbol that followed it. Keys: length, symbols. With length 8:
///
///   input   3 1 ! 4 1 5 9 !
///   target  _ _ _ _ _ _ _ 4
///
/// Source: Gu & Dao 2023 (arXiv:2312.00752), section 3.1 and table 11 (length 256, 16 symbols,
/// tested at other lengths), after Fu et al. 2023 (arXiv:2212.14052).
class InductionLabelling : public Labelling {
 public:
  static constexpr Index kDefaultLength = 64;
  static constexpr Index kDefaultSymbols = 16;
  static constexpr Index kMaxLength = 65536;

  /// Throws ValueError unless length is from 3 to 65,536 and symbols from 2 to 62.
  explicit InductionLabelling(Index length = kDefaultLength, Index symbols = kDefaultSymbols);

  std::string name() const override { return "induction"; }
  /// The symbols, then '!'.
  std::vector<std::string> symbols() const override;
  Index length() const override { return length_; }
  double sequence_count() const override;
  std::string size_keys() const override { return "length or symbols"; }
  double chance() const override { return 1 / static_cast<double>(symbols_); }
  void draw(Random& random, std::span<TokenId> inputs, std::span<TokenId> targets) const override;

 private:
  Index length_;
  Index symbols_;
};

}  // namespace tapehead
