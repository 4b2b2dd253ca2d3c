#include "data/translation_exercise.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace tapehead {
namespace {

// Each word of the one list is translated by that in the same place of the other. The first half of
// the nouns are masculine, the second half feminine.
constexpr const char* kNounsFrom[] = {"king", "dog", "horse", "boy", "queen", "cat", "cow", "girl"};
constexpr const char* kNounsTo[] = {"bor", "tam", "mur", "kel", "lis", "nav", "sil", "zar"};
constexpr const char* kAdjectivesFrom[] = {"small", "big", "old", "young", "red", "white"};
constexpr const char* kAdjectivesTo[] = {"pik", "gran", "vek", "jun", "rug", "alb"};
constexpr const char* kVerbsFrom[] = {"saw", "found", "followed", "heard", "called", "helped"};
constexpr const char* kVerbsTo[] = {"vid", "trov", "sekv", "aud", "vok", "help"};
constexpr const char* kAdverbsFrom[] = {"today", "often", "here", "secretly"};
constexpr const char* kAdverbsTo[] = {"hod", "oft", "tie", "sek"};

constexpr Index kNounStems = std::size(kNounsFrom);
constexpr Index kAdjectiveStems = std::size(kAdjectivesFrom);
constexpr Index kVerbStems = std::size(kVerbsFrom);
constexpr Index kAdverbStems = std::size(kAdverbsFrom);

// Places in symbols(), list after list. Of nouns, the singular comes before the plural; of
// adjectives in translation, -o, -on, -a, -an; of verbs, -t, -nt.
constexpr Index kNounAt = 0;
constexpr Index kAdjectiveAt = kNounAt + 2 * kNounStems;
constexpr Index kVerbAt = kAdjectiveAt + kAdjectiveStems;
constexpr Index kAdverbAt = kVerbAt + kVerbStems;
constexpr Index kAndAt = kAdverbAt + kAdverbStems;
constexpr Index kNounToAt = kAndAt + 1;
constexpr Index kAdjectiveToAt = kNounToAt + 2 * kNounStems;
constexpr Index kVerbToAt = kAdjectiveToAt + 4 * kAdjectiveStems;
constexpr Index kAdverbToAt = kVerbToAt + 2 * kVerbStems;
constexpr Index kAndToAt = kAdverbToAt + kAdverbStems;
constexpr Index kNothingAt = kAndToAt + 1;

constexpr Index kAbsent = -1;

struct NounPhrase {
  Index noun = 0;
  bool plural = false;
  Index adjective = kAbsent;
};

struct Clause {
  NounPhrase subject;
  Index verb = 0;
  NounPhrase object;
  Index adverb = kAbsent;
};

/// Writes tokens one after another.
class Writer {
 public:
  explicit Writer(std::span<TokenId> tokens) : tokens_(tokens) {}
  void add(Index token) { tokens_[size_++] = static_cast<TokenId>(token); }
  void fill_up() {
    while (size_ < tokens_.size()) add(kNothingAt);
  }

 private:
  std::span<TokenId> tokens_;
  std::size_t size_ = 0;
};

/// Reads a sentence word by word.
class Reader {
 public:
  explicit Reader(std::span<const TokenId> tokens) : tokens_(tokens) {}

  /// The place of the next word in a list of `count` words at `first`, which it then is past; or
  /// kAbsent, if it is none of them.
  Index take(Index first, Index count) {
    if (tokens_.empty() || tokens_[0] < first || tokens_[0] >= first + count) return kAbsent;
    const Index place = tokens_[0] - first;
    tokens_ = tokens_.subspan(1);
    return place;
  }
  bool take_word(Index word) { return take(word, 1) != kAbsent; }
  /// Whether nothing but "-" is left.
  bool at_end() const {
    return std::ranges::all_of(tokens_, [](TokenId token) { return token == kNothingAt; });
  }

  std::optional<NounPhrase> noun_phrase() {
    NounPhrase phrase;
    phrase.adjective = take(kAdjectiveAt, kAdjectiveStems);
    const Index noun = take(kNounAt, 2 * kNounStems);
    if (noun == kAbsent) return std::nullopt;
    phrase.noun = noun / 2;
    phrase.plural = noun % 2 == 1;
    return phrase;
  }

  std::optional<Clause> clause() {
    const auto subject = noun_phrase();
    const Index verb = take(kVerbAt, kVerbStems);
    const auto object = noun_phrase();
    if (!subject || verb == kAbsent || !object) return std::nullopt;
    return Clause{*subject, verb, *object, take(kAdverbAt, kAdverbStems)};
  }

 private:
  std::span<const TokenId> tokens_;
};

void write_translation(Writer& out, const NounPhrase& phrase) {
  const Index plural = phrase.plural ? 1 : 0;
  const Index feminine = phrase.noun >= kNounStems / 2 ? 1 : 0;
  out.add(kNounToAt + 2 * phrase.noun + plural);
  if (phrase.adjective == kAbsent) return;
  out.add(kAdjectiveToAt + 4 * phrase.adjective + 2 * feminine + plural);
}

void write_translation(Writer& out, const Clause& clause) {
  if (clause.adverb != kAbsent) out.add(kAdverbToAt + clause.adverb);
  write_translation(out, clause.subject);
  write_translation(out, clause.object);
  out.add(kVerbToAt + 2 * clause.verb + (clause.subject.plural ? 1 : 0));
}

void draw_noun_phrase(Random& random, Writer& out) {
  if (random.below(2) == 1) out.add(kAdjectiveAt + random.below(kAdjectiveStems));
  out.add(kNounAt + random.below(2 * kNounStems));
}

template <std::size_t N, std::size_t M>
void add_words(std::vector<std::string>& words, const char* const (&stems)[N],
               const char* const (&endings)[M]) {
  for (const char* stem : stems) {
    for (const char* ending : endings) words.push_back(std::string(stem) + ending);
  }
}

}  // namespace

TranslationExercise::TranslationExercise(Index clauses) : clauses_(clauses) {
  check_key("translation", "clauses", clauses, 1, kMaxClauses);
}

std::vector<std::string> TranslationExercise::symbols() const {
  std::vector<std::string> words;
  add_words(words, kNounsFrom, {"", "s"});
  add_words(words, kAdjectivesFrom, {""});
  add_words(words, kVerbsFrom, {""});
  add_words(words, kAdverbsFrom, {""});
  words.emplace_back("and");
  add_words(words, kNounsTo, {"", "n"});
  add_words(words, kAdjectivesTo, {"o", "on", "a", "an"});
  add_words(words, kVerbsTo, {"t", "nt"});
  add_words(words, kAdverbsTo, {""});
  words.emplace_back("kaj");
  words.emplace_back("-");
  return words;
}

double TranslationExercise::prompt_count() const {
  constexpr auto kPhrases = static_cast<double>(2 * kNounStems * (1 + kAdjectiveStems));
  constexpr auto kClauses =
      kPhrases * kPhrases * static_cast<double>(kVerbStems * (1 + kAdverbStems));
  return std::pow(kClauses, static_cast<double>(clauses_));
}

double TranslationExercise::chance() const {
  constexpr double kPhrase = 0.5 / static_cast<double>(2 * kNounStems);
  constexpr double kClause = kPhrase * kPhrase * 0.5 / static_cast<double>(kVerbStems);
  return std::pow(kClause, static_cast<double>(clauses_));
}

void TranslationExercise::draw(Random& random, std::span<TokenId> prompt) const {
  Writer out(prompt);
  for (Index i = 0; i < clauses_; ++i) {
    if (i > 0) out.add(kAndAt);
    draw_noun_phrase(random, out);
    out.add(kVerbAt + random.below(kVerbStems));
    draw_noun_phrase(random, out);
    if (random.below(2) == 1) out.add(kAdverbAt + random.below(kAdverbStems));
  }
  out.fill_up();
}

bool TranslationExercise::could_draw(std::span<const TokenId> prompt) const {
  Reader in(prompt);
  for (Index i = 0; i < clauses_; ++i) {
    if (i > 0 && !in.take_word(kAndAt)) return false;
    if (!in.clause()) return false;
  }
  return in.at_end();
}

std::string TranslationExercise::prompt_form() const {
  return fmt::format("{} of [adjective] noun verb [adjective] noun [adverb]{}",
                     clauses_ == 1 ? "one clause" : fmt::format("{} clauses", clauses_),
                     clauses_ == 1 ? "" : ", joined by 'and'");
}

void TranslationExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  Reader in(prompt);
  Writer out(answer);
  for (Index i = 0; i < clauses_; ++i) {
    if (i > 0 && in.take_word(kAndAt)) out.add(kAndToAt);
    write_translation(out, in.clause().value());
  }
  out.fill_up();
}

std::string TranslationExercise::completed(const std::string& text) const {
  std::istringstream in(text);
  std::string full;
  std::string word;
  Index words = 0;
  for (; in >> word; ++words) full += (words == 0 ? "" : " ") + word;
  for (; words > 0 && words < prompt_length(); ++words) full += " -";
  return full;
}

}  // namespace tapehead
