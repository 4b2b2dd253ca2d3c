#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Which earlier noun does the pronoun refer to? A sentence of nouns and verbs in turn ends in a
/// pronoun; the answer is the latest noun that agrees with it: men with "he", women with "she",
/// things with "it", groups with "they". Keys: nouns, distance. With 3 nouns and distance 2, which
/// is how many nouns back the answer stands:
///
///   input   king saw film liked queen praised it > film
///   target  _    _   _    _     _     _       _  film |
///
/// Without a distance each place that has a noun is equally likely.
///
/// Source: made for the example "it refers to the film" of attention's introductions, as in Vaswani
/// et al. 2017 (arXiv:1706.03762), figures 3 to 5; a sentence scheme of our own.
class CoreferenceExercise : public Exercise {
 public:
  static constexpr Index kDefaultNouns = 6;
  static constexpr Index kDefaultDistance = 0;
  static constexpr Index kMaxNouns = 1000;

  /// Throws ValueError unless nouns is from 1 to 1000 and distance from 0 (any) to nouns.
  explicit CoreferenceExercise(Index nouns = kDefaultNouns, Index distance = kDefaultDistance);

  std::string name() const override { return "coreference"; }
  std::vector<std::string> symbols() const override;
  Index prompt_length() const override { return 2 * nouns_ + 1; }
  Index answer_length() const override { return 1; }
  double prompt_count() const override;
  std::string size_keys() const override { return "nouns"; }
  /// Each noun is equally likely.
  double chance() const override;
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;

 private:
  /// How many nouns back the noun stands that the last word refers to; 0 if none agrees.
  Index distance_of(std::span<const TokenId> prompt) const;

  Index nouns_;
  Index distance_;
};

}  // namespace tapehead
