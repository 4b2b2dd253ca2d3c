#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Repeats the symbols that stand, in order, at random places among noise ('-'). Keys: length
/// (symbols and noise), items (symbols), symbols (different ones). With length 8 and 3 items:
///
///   input   - 3 - - 1 - 4 - > 3 1 4
///   target  _ _ _ _ _ _ _ _ 3 1 4 |
///
/// Source: Gu & Dao 2023 (arXiv:2312.00752), section 3.1, where length is 4096, items and symbols
/// 16; after the copying task of Arjovsky et al. 2016 (arXiv:1511.06464).
class SelectiveCopyExercise : public Exercise {
 public:
  static constexpr Index kDefaultLength = 32;
  static constexpr Index kDefaultItems = 8;
  static constexpr Index kDefaultSymbols = 16;
  static constexpr Index kMaxLength = 4096;

  /// Throws ValueError unless length is from 1 to 4096, items from 1 to length, symbols from 2 to
  /// 62.
  explicit SelectiveCopyExercise(Index length = kDefaultLength, Index items = kDefaultItems,
                                 Index symbols = kDefaultSymbols);

  std::string name() const override { return "selective_copy"; }
  /// The symbols, then the noise.
  std::vector<std::string> symbols() const override;
  Index prompt_length() const override { return length_; }
  Index answer_length() const override { return items_; }
  double prompt_count() const override;
  std::string size_keys() const override { return "length, items or symbols"; }
  double chance() const override;
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;

 private:
  TokenId noise() const { return static_cast<TokenId>(symbols_); }

  Index length_;
  Index items_;
  Index symbols_;
};

}  // namespace tapehead
