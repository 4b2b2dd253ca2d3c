#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Digits, then small, then capital letters.
inline constexpr char kAlphabet[] =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline constexpr Index kAlphabetSize = sizeof(kAlphabet) - 1;

/// The prompt is a sequence of random symbols, and the answer is as long: copy, reverse, sort. With
/// `min_length`, the prompts' lengths are drawn evenly from min_length to length; without (0), all
/// have `length` symbols.
class SequenceExercise : public Exercise {
 public:
  static constexpr Index kDefaultLength = 10;
  static constexpr Index kDefaultSymbols = 10;
  static constexpr Index kMaxLength = 4096;

  /// Throws ValueError unless length is from 1 to 4096, symbols from 2 to 62, and min_length from 0
  /// to length.
  SequenceExercise(const char* name, Index length, Index symbols, Index min_length);

  std::string name() const override { return name_; }
  std::vector<std::string> symbols() const override;
  Index prompt_length() const override { return length_; }
  Index answer_length() const override { return length_; }
  Index shortest_prompt() const override { return shortest_; }
  double prompt_count() const override;
  double prompt_count_of(Index length) const override;
  std::string size_keys() const override { return "length or symbols"; }
  /// That of a guess of the shortest length.
  double chance() const override;
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;

 protected:
  Index symbol_count() const { return symbols_; }
  /// How often a prompt has the shortest length.
  double share_of_shortest() const { return 1 / static_cast<double>(length_ - shortest_ + 1); }

 private:
  std::string_view alphabet() const;

  const char* name_;
  Index length_;
  Index symbols_;
  Index shortest_;
};

}  // namespace tapehead
