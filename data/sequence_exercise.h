#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Digits, then small, then capital letters.
inline constexpr char kAlphabet[] =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline constexpr Index kAlphabetSize = sizeof(kAlphabet) - 1;

/// The prompt is a sequence of random symbols, and the answer is as long: copy, reverse, sort.
class SequenceExercise : public Exercise {
 public:
  static constexpr Index kDefaultLength = 10;
  static constexpr Index kDefaultSymbols = 10;
  static constexpr Index kMaxLength = 4096;

  /// Throws ValueError unless length is from 1 to 4096 and symbols from 2 to 62.
  SequenceExercise(const char* name, Index length, Index symbols);

  std::string name() const override { return name_; }
  std::vector<std::string> symbols() const override;
  Index prompt_length() const override { return length_; }
  Index answer_length() const override { return length_; }
  double prompt_count() const override;
  std::string size_keys() const override { return "length or symbols"; }
  double chance() const override { return 1 / prompt_count(); }
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;

 protected:
  Index symbol_count() const { return symbols_; }

 private:
  std::string_view alphabet() const;

  const char* name_;
  Index length_;
  Index symbols_;
};

}  // namespace tapehead
