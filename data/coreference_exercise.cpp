#include "data/coreference_exercise.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tapehead {
namespace {

// The nouns of a kind follow one another; symbols() has all nouns, then verbs, then pronouns.
constexpr const char* kNouns[] = {"king",   "boy",     "actor", "father",    // he
                                  "queen",  "girl",    "nurse", "mother",    // she
                                  "film",   "book",    "house", "song",      // it
                                  "judges", "dancers", "twins", "critics"};  // they
constexpr const char* kVerbs[] = {"saw", "liked", "praised", "forgot", "found", "described"};
constexpr const char* kPronouns[] = {"he", "she", "it", "they"};

constexpr Index kNounCount = std::size(kNouns);
constexpr Index kVerbCount = std::size(kVerbs);
constexpr Index kKinds = std::size(kPronouns);
constexpr Index kNounsOfAKind = kNounCount / kKinds;

bool is_noun(TokenId token) { return token < kNounCount; }
bool is_verb(TokenId token) { return !is_noun(token) && token < kNounCount + kVerbCount; }
bool is_pronoun(TokenId token) {
  return token >= kNounCount + kVerbCount && token < kNounCount + kVerbCount + kKinds;
}
TokenId pronoun_of(Index kind) { return static_cast<TokenId>(kNounCount + kVerbCount + kind); }

bool agree(TokenId noun, TokenId pronoun) {
  return pronoun == pronoun_of(static_cast<Index>(noun) / kNounsOfAKind);
}

/// A noun of another kind.
TokenId other_noun(Random& random, Index kind) {
  const Index noun = random.below(kNounCount - kNounsOfAKind);
  return static_cast<TokenId>(noun < kind * kNounsOfAKind ? noun : noun + kNounsOfAKind);
}

}  // namespace

CoreferenceExercise::CoreferenceExercise(Index nouns, Index distance)
    : nouns_(nouns), distance_(distance) {
  check_key("coreference", "nouns", nouns, 1, kMaxNouns);
  check_key("coreference", "distance", distance, 0, nouns);
}

std::vector<std::string> CoreferenceExercise::symbols() const {
  std::vector<std::string> words(std::begin(kNouns), std::end(kNouns));
  words.insert(words.end(), std::begin(kVerbs), std::end(kVerbs));
  words.insert(words.end(), std::begin(kPronouns), std::end(kPronouns));
  return words;
}

double CoreferenceExercise::prompt_count() const {
  // Nouns before the answer are free, those after it of other kinds; the pronoun follows from it.
  const auto all = static_cast<double>(kNounCount);
  const auto others = static_cast<double>(kNounCount - kNounsOfAKind);
  double nouns = 0;
  for (Index d = 1; d <= nouns_; ++d) {
    if (distance_ != 0 && d != distance_) continue;
    nouns += std::pow(all, static_cast<double>(nouns_ - d + 1)) *
             std::pow(others, static_cast<double>(d - 1));
  }
  return nouns * std::pow(static_cast<double>(kVerbCount), static_cast<double>(nouns_));
}

double CoreferenceExercise::chance() const { return 1 / static_cast<double>(kNounCount); }

void CoreferenceExercise::draw(Random& random, std::span<TokenId> prompt) const {
  const Index distance = distance_ == 0 ? 1 + random.below(nouns_) : distance_;
  const Index kind = random.below(kKinds);
  for (Index i = 0; i < nouns_; ++i) {
    const Index back = nouns_ - i;
    TokenId& noun = prompt[static_cast<std::size_t>(2 * i)];
    if (back > distance) {
      noun = static_cast<TokenId>(random.below(kNounCount));
    } else if (back == distance) {
      noun = static_cast<TokenId>(kind * kNounsOfAKind + random.below(kNounsOfAKind));
    } else {
      noun = other_noun(random, kind);
    }
    prompt[static_cast<std::size_t>(2 * i + 1)] =
        static_cast<TokenId>(kNounCount + random.below(kVerbCount));
  }
  prompt.back() = pronoun_of(kind);
}

Index CoreferenceExercise::distance_of(std::span<const TokenId> prompt) const {
  for (Index back = 1; back <= nouns_; ++back) {
    if (agree(prompt[static_cast<std::size_t>(2 * (nouns_ - back))], prompt.back())) return back;
  }
  return 0;
}

bool CoreferenceExercise::could_draw(std::span<const TokenId> prompt) const {
  for (std::size_t i = 0; i + 1 < prompt.size(); i += 2) {
    if (!is_noun(prompt[i]) || !is_verb(prompt[i + 1])) return false;
  }
  if (!is_pronoun(prompt.back())) return false;
  const Index distance = distance_of(prompt);
  return distance > 0 && (distance_ == 0 || distance == distance_);
}

std::string CoreferenceExercise::prompt_form() const {
  return fmt::format(
      "{} times a noun ({}) and a verb ({}), then a pronoun ({}) that agrees with one of the "
      "nouns{}",
      nouns_, fmt::join(kNouns, ", "), fmt::join(kVerbs, ", "), fmt::join(kPronouns, ", "),
      distance_ == 0 ? "" : fmt::format(", the latest such one {} nouns back", distance_));
}

void CoreferenceExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  answer.front() = prompt[static_cast<std::size_t>(2 * (nouns_ - distance_of(prompt)))];
}

}  // namespace tapehead
