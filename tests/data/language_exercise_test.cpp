#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "data/coreference_exercise.h"
#include "data/prompt_task.h"
#include "data/translation_exercise.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_error;
using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

struct Example {
  Words prompt;
  Words answer;
};

/// Training examples of the exercise: the words before and after '>'.
std::vector<Example> examples_of(std::unique_ptr<const Exercise> exercise, Index count) {
  const PromptTask task(std::move(exercise), Layout::kCausal);
  Batch batch;
  task.train_batch(1, 0, count, batch);
  std::vector<Example> examples;
  for (auto row = batch.inputs.begin(); row != batch.inputs.end(); row += batch.length) {
    const Words words = words_of(task.decode({row, row + batch.length}));
    const auto start = std::ranges::find(words, ">");
    examples.push_back({{words.begin(), start}, {start + 1, words.end()}});
  }
  return examples;
}

const std::map<std::string, std::set<std::string>> kAgreement{
    {"he", {"king", "boy", "actor", "father"}},
    {"she", {"queen", "girl", "nurse", "mother"}},
    {"it", {"film", "book", "house", "song"}},
    {"they", {"judges", "dancers", "twins", "critics"}}};

/// How many nouns back the latest one stands that agrees with the pronoun; 0 if none does.
Index distance_to(const Words& prompt) {
  for (Index back = 1; 2 * back < std::ssize(prompt); ++back) {
    const auto& noun = prompt[prompt.size() - 1 - static_cast<std::size_t>(2 * back)];
    if (kAgreement.at(prompt.back()).contains(noun)) return back;
  }
  return 0;
}

TEST(CoreferenceExercise, AnswersWithTheLatestNounThatAgrees) {
  std::map<Index, int> distances;
  for (const auto& [prompt, answer] : examples_of(std::make_unique<CoreferenceExercise>(5), 5000)) {
    const Index back = distance_to(prompt);
    ASSERT_GT(back, 0);
    ASSERT_EQ(answer, Words{prompt[prompt.size() - 1 - static_cast<std::size_t>(2 * back)]});
    ++distances[back];
  }
  // Expected 1000 each, standard deviation below 29.
  for (Index back = 1; back <= 5; ++back) EXPECT_NEAR(distances[back], 1000, 150);
}

TEST(CoreferenceExercise, PutsTheAnswerAtTheDistanceAskedFor) {
  for (const auto& example : examples_of(std::make_unique<CoreferenceExercise>(6, 4), 500)) {
    ASSERT_EQ(distance_to(example.prompt), 4);
  }
  expect_error<ValueError>([] { CoreferenceExercise(3, 4); },
                           "coreference: distance is 4; it must be from 0 to 3");
}

TEST(CoreferenceExercise, TakesPromptsWhosePronounAgrees) {
  const PromptTask task(std::make_unique<CoreferenceExercise>(3, 2), Layout::kCausal);
  EXPECT_EQ(task.decode(task.encode_prompt("king saw film liked queen praised it")),
            "king saw film liked queen praised it >");
  const auto refuse = [&](const char* text) {
    expect_error<ValueError>([&] { task.encode_prompt(text); }, "is no prompt; expected 3 times a");
  };
  refuse("king saw film liked queen praised they");  // agrees with none
  refuse("king saw film liked book praised it");     // one noun back, not two
  refuse("king saw film liked queen it praised");
}

TEST(CoreferenceExercise, CountsItsPrompts) {
  // One noun: 16 nouns, 6 verbs, and the pronoun that follows. Two, one back: 16 nouns more before;
  // two back: the second noun is one of the 12 others.
  EXPECT_EQ(CoreferenceExercise(1).prompt_count(), 16 * 6);
  EXPECT_EQ(CoreferenceExercise(2, 1).prompt_count(), 16 * 16 * 36);
  EXPECT_EQ(CoreferenceExercise(2, 2).prompt_count(), 16 * 12 * 36);
  EXPECT_EQ(CoreferenceExercise(2).prompt_count(), 16 * 28 * 36);
}

const std::map<std::string, std::string> kStems{
    {"king", "bor"},  {"dog", "tam"},       {"horse", "mur"},  {"boy", "kel"},
    {"queen", "lis"}, {"cat", "nav"},       {"cow", "sil"},    {"girl", "zar"},
    {"small", "pik"}, {"big", "gran"},      {"old", "vek"},    {"young", "jun"},
    {"red", "rug"},   {"white", "alb"},     {"saw", "vid"},    {"found", "trov"},
    {"heard", "aud"}, {"followed", "sekv"}, {"called", "vok"}, {"helped", "help"},
    {"today", "hod"}, {"often", "oft"},     {"here", "tie"},   {"secretly", "sek"}};

bool is_one_of(const std::string& word, const std::string& list) {
  return (" " + list + " ").find(" " + word + " ") != std::string::npos;
}

/// Translates one clause by the rules of the docstring, by words and endings.
Words translated_clause(const Words& clause) {
  Words nouns, verb, adverb;
  std::string adjective, first_number;
  for (const std::string& word : clause) {
    if (is_one_of(word, "small big old young red white")) {
      adjective = word;
    } else if (is_one_of(word, "today often here secretly")) {
      adverb.push_back(kStems.at(word));
    } else if (is_one_of(word, "saw found followed heard called helped")) {
      verb.push_back(kStems.at(word) + (first_number == "plural" ? "nt" : "t"));
    } else {
      const bool plural = word.back() == 's';
      const std::string noun = plural ? word.substr(0, word.size() - 1) : word;
      const std::string n = plural ? "n" : "";
      nouns.push_back(kStems.at(noun) + n);
      const bool feminine = is_one_of(noun, "queen cat cow girl");
      if (!adjective.empty()) nouns.push_back(kStems.at(adjective) + (feminine ? "a" : "o") + n);
      adjective.clear();
      if (first_number.empty()) first_number = plural ? "plural" : "singular";
    }
  }
  Words all = adverb;
  all.insert(all.end(), nouns.begin(), nouns.end());
  all.insert(all.end(), verb.begin(), verb.end());
  return all;
}

Words translated(const Words& sentence) {
  Words all, clause;
  for (const std::string& word : sentence) {
    if (word == "-") break;
    if (word != "and") {
      clause.push_back(word);
      continue;
    }
    const Words part = translated_clause(clause);
    all.insert(all.end(), part.begin(), part.end());
    all.emplace_back("kaj");
    clause.clear();
  }
  const Words part = translated_clause(clause);
  all.insert(all.end(), part.begin(), part.end());
  all.resize(sentence.size(), "-");
  return all;
}

TEST(TranslationExercise, FollowsItsGrammar) {
  EXPECT_EQ(translated(words_of("small queens heard old dog today")),
            words_of("hod lisn pikan tam veko audnt"));  // the example of the docstring
  for (const Index clauses : {1, 3}) {
    std::set<std::size_t> lengths;
    for (const auto& [prompt, answer] :
         examples_of(std::make_unique<TranslationExercise>(clauses), 3000)) {
      ASSERT_EQ(answer, translated(prompt));
      ASSERT_EQ(std::ranges::count(prompt, "and"), clauses - 1);
      lengths.insert(static_cast<std::size_t>(std::ranges::count(prompt, "-")));
    }
    EXPECT_EQ(std::ssize(lengths), 3 * clauses + 1);  // of each clause, up to 3 words are missing
  }
}

TEST(TranslationExercise, TakesSentencesOfItsGrammar) {
  const PromptTask task(std::make_unique<TranslationExercise>(), Layout::kCausal);
  EXPECT_EQ(task.decode(task.encode_prompt("king saw red cow")), "king saw red cow - - >");
  const auto refuse = [&](const char* text) {
    expect_error<ValueError>([&] { task.encode_prompt(text); },
                             "is no prompt; expected one clause of .adjective. noun verb");
  };
  refuse("king saw red cow today often");
  refuse("king saw");
  refuse("saw king cow");
  refuse("king saw bor");
  refuse("king - saw cow");
  refuse("king saw cow and");
  expect_error<ValueError>([&] { task.encode_prompt("king saw horses and king saw cow"); },
                           "has 7 symbols, not 6");
  expect_error<ValueError>([&] { task.encode_prompt("king ate cow"); }, "unknown symbols 'ate'");
  expect_error<ValueError>([] { TranslationExercise(0); },
                           "translation: clauses is 0; it must be from 1 to 100");
}

TEST(TranslationExercise, CountsItsPromptsAndTheMostLikelyOne) {
  EXPECT_EQ(TranslationExercise().prompt_count(), 112.0 * 112 * 30);
  int shortest = 0;
  for (const auto& example : examples_of(std::make_unique<TranslationExercise>(), 20000)) {
    shortest += std::ranges::count(example.prompt, "-") == 3 ? 1 : 0;
  }
  // One of eight has neither adjectives nor adverb: 16 * 6 * 16 sentences, all equally likely.
  EXPECT_NEAR(shortest, 2500, 240);
  EXPECT_DOUBLE_EQ(TranslationExercise().chance(), 1.0 / 8 / (16 * 6 * 16));
}

}  // namespace
}  // namespace tapehead
