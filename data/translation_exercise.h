#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Translation from a piece of English into a made-up language with another order of words and
/// other agreement. Key: clauses. With one clause:
///
///   input   small queens heard old dog today > hod lisn pikan tam veko audnt
///
/// A clause is [adjective] noun verb [adjective] noun [adverb]; what is in brackets is there or not
/// with probability 1/2. In the translation the adverb comes first and the verb last, and an
/// adjective stands behind its noun. A plural noun ends in -n; an adjective in -o or -a after the
/// noun's gender, and then -n in the plural; the verb in -t or -nt after the number of the first
/// noun, although its English form, a past tense, does not show it. Clauses are joined by "and",
/// "kaj". Sentences and translations that are shorter than the longest end in "-".
///
/// Source: a grammar of our own, in the spirit of the small English-Spanish task of Allen 1987
/// ("Several studies on natural language and back-propagation").
class TranslationExercise : public Exercise {
 public:
  static constexpr Index kDefaultClauses = 1;
  static constexpr Index kMaxClauses = 100;

  /// Throws ValueError unless clauses is from 1 to 100.
  explicit TranslationExercise(Index clauses = kDefaultClauses);

  std::string name() const override { return "translation"; }
  /// Of both languages, and then "-".
  std::vector<std::string> symbols() const override;
  Index prompt_length() const override { return 7 * clauses_ - 1; }
  Index answer_length() const override { return prompt_length(); }
  double prompt_count() const override;
  std::string size_keys() const override { return "clauses"; }
  /// Each of the clauses without adjectives and adverb is the most likely one.
  double chance() const override;
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
  /// Adds the "-" at the end.
  std::string completed(const std::string& text) const override;

 private:
  Index clauses_;
};

}  // namespace tapehead
