#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Is the number of ones even (0) or odd (1)? Keys: length, running. With length 4:
///
///   input   1 0 1 1 > 1 1 0 1        running (the default): the parity after each bit, of which
///   target  _ _ _ _ 1 1 0 1 |        each follows from the one before and one bit
///
///   input   1 0 1 1 > 1              not running: the last of them alone. Every bit counts, so
///   target  _ _ _ _ 1 |              that no part of the prompt says anything about the answer
///
/// Sources: Hahn 2020 (arXiv:1906.06755), why attention finds it hard; Chiang & Cholak 2022
/// (arXiv:2202.12172), a transformer that solves it.
class ParityExercise : public Exercise {
 public:
  static constexpr Index kDefaultLength = 16;
  static constexpr bool kDefaultRunning = true;
  static constexpr Index kMaxLength = 4096;

  /// Throws ValueError unless length is from 1 to 4096.
  explicit ParityExercise(Index length = kDefaultLength, bool running = kDefaultRunning);

  std::string name() const override { return "parity"; }
  std::vector<std::string> symbols() const override { return characters("01"); }
  Index prompt_length() const override { return length_; }
  Index answer_length() const override { return running_ ? length_ : 1; }
  double prompt_count() const override;
  std::string size_keys() const override { return "length"; }
  double chance() const override { return running_ ? 1 / prompt_count() : 0.5; }
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;

 private:
  Index length_;
  bool running_;
};

}  // namespace tapehead
