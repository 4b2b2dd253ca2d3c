#include "data/prompt_task.h"

#include <algorithm>
#include <functional>
#include <map>
#include <ostream>
#include <set>

#include "data/addition_exercise.h"
#include "data/copy_exercise.h"
#include "data/long_recall_exercise.h"
#include "data/multiplication_exercise.h"
#include "data/parity_exercise.h"
#include "data/recall_exercise.h"
#include "data/reverse_exercise.h"
#include "data/selective_copy_exercise.h"
#include "data/sort_exercise.h"
#include "tests/data/prompt_rows.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::drawn;
using ::testing::ElementsAre;
using testing::expect_error;
using testing::make;
using testing::prompt_text;

using Solver = std::function<std::string(const std::string&)>;

/// Adds by whole numbers, unlike the task, which adds digit by digit.
std::string sum_of(const std::string& prompt) {
  const auto digits = prompt.find('+');
  const std::string sum =
      std::to_string(std::stoll(prompt.substr(0, digits)) + std::stoll(prompt.substr(digits + 1)));
  return std::string(digits + 1 - sum.size(), '0') + sum;
}

std::string backwards(const std::string& text) { return {text.rbegin(), text.rend()}; }

/// Sorts by counting.
std::string counted(const std::string& prompt) {
  std::map<char, int> counts;
  for (const char c : prompt) ++counts[c];
  std::string sorted;
  for (const auto& [c, n] : counts) sorted.append(static_cast<std::size_t>(n), c);
  return sorted;
}

/// Reads the pairs into a map.
std::string recalled(const std::string& prompt) {
  std::map<char, char> values;
  for (std::size_t i = 0; i + 1 < prompt.size(); i += 2) values[prompt[i]] = prompt[i + 1];
  return {prompt.back(), values.at(prompt.back())};
}

/// Multiplies whole numbers, unlike the task, which goes digit by digit.
std::string product_of(const std::string& prompt) {
  const auto sign = prompt.find('*');
  const std::string product =
      std::to_string(std::stoll(prompt.substr(0, sign)) * std::stoll(prompt.substr(sign + 1)));
  return std::string(sign + 1 - product.size(), '0') + product;
}

/// Counts the ones anew for each bit.
std::string parities(const std::string& prompt) {
  std::string all;
  for (std::size_t n = 1; n <= prompt.size(); ++n) {
    all += std::ranges::count(prompt.substr(0, n), '1') % 2 == 0 ? '0' : '1';
  }
  return all;
}

std::string without_noise(std::string prompt) {
  std::erase(prompt, '-');
  return prompt;
}

struct Case {
  const char* name;
  std::function<PromptTask(Layout)> make_task;
  Solver solve;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  return {
      {"copy", [](Layout l) { return make<CopyExercise>(l, 5, 12); },
       [](const std::string& p) { return p; }},
      {"reverse", [](Layout l) { return make<ReverseExercise>(l); }, backwards},
      {"sort", [](Layout l) { return make<SortExercise>(l); }, counted},
      {"addition", [](Layout l) { return make<AdditionExercise>(l); },
       [](const std::string& p) { return backwards(sum_of(p)); }},
      {"addition_plain", [](Layout l) { return make<AdditionExercise>(l, 2, false); }, sum_of},
      {"addition_long", [](Layout l) { return make<AdditionExercise>(l, 17, false); }, sum_of},
      {"recall", [](Layout l) { return make<RecallExercise>(l); }, recalled},
      {"multiplication", [](Layout l) { return make<MultiplicationExercise>(l); },
       [](const std::string& p) { return backwards(product_of(p)); }},
      {"multiplication_plain", [](Layout l) { return make<MultiplicationExercise>(l, 15, false); },
       product_of},
      {"parity", [](Layout l) { return make<ParityExercise>(l); }, parities},
      {"parity_last", [](Layout l) { return make<ParityExercise>(l, 12, false); },
       [](const std::string& p) { return parities(p).substr(p.size() - 1); }},
      {"selective_copy", [](Layout l) { return make<SelectiveCopyExercise>(l); }, without_noise},
      {"selective_copy_no_noise", [](Layout l) { return make<SelectiveCopyExercise>(l, 5, 5, 7); },
       without_noise},
      {"long_recall", [](Layout l) { return make<LongRecallExercise>(l, 9); },
       [](const std::string& p) { return p.substr(p.find('*') + 1, 1); }},
      {"recall_all_keys", [](Layout l) { return make<RecallExercise>(l, 5, 5, 3); }, recalled},
  };
}

class EveryPromptTask : public ::testing::TestWithParam<Case> {};

TEST_P(EveryPromptTask, LaysOutRightAnswersAsDrawn) {
  for (const Layout layout : {Layout::kCausal, Layout::kParallel}) {
    const auto task = GetParam().make_task(layout);
    Batch train;
    Batch held_out;
    task.train_batch(1, 0, 300, train);
    task.held_out_batch(0, task.held_out_rows(), held_out);
    for (const Batch* batch : {&train, &held_out}) {
      ASSERT_EQ(batch->length, task.length());
      for (Index row = 0; row < batch->rows; ++row) {
        const auto prompt = prompt_text(task, *batch, row);
        const auto answer = GetParam().solve(prompt);
        const std::string skipped(prompt.size(), '_');
        const std::string blanks(answer.size(), '.');
        ASSERT_EQ(drawn(task, *batch, row),
                  layout == Layout::kCausal
                      ? prompt + ">" + answer + "\n" + skipped + answer + "|"
                      : prompt + ">" + blanks + "\n" + skipped + "_" + answer);
      }
    }
  }
}

TEST_P(EveryPromptTask, LaysOutASourceBesideItsAnswer) {
  const auto task = GetParam().make_task(Layout::kSourceTarget);
  Batch batch;
  task.train_batch(1, 0, 300, batch);
  ASSERT_EQ(batch.source_length, task.source_length());
  for (Index row = 0; row < batch.rows; ++row) {
    std::string source;
    for (Index t = 0; t < batch.source_length; ++t) {
      source += task.symbol(batch.sources[static_cast<std::size_t>(row * batch.source_length + t)]);
    }
    const auto answer = GetParam().solve(source);
    ASSERT_EQ(drawn(task, batch, row), ">" + answer + "\n" + answer + "|");
    ASSERT_EQ(task.encode_prompt(source), task.encode(source));
  }
}

TEST_P(EveryPromptTask, BatchIsAPureFunctionOfSeedStepAndRow) {
  const auto task = GetParam().make_task(Layout::kCausal);
  const auto same = GetParam().make_task(Layout::kCausal);
  Batch five;
  Batch two;
  Batch other;
  task.train_batch(7, 3, 5, five);
  same.train_batch(9, 0, 4, two);  // what was drawn before must not matter
  same.train_batch(7, 3, 2, two);
  EXPECT_TRUE(std::ranges::equal(two.inputs, std::span(five.inputs).first(two.inputs.size())));
  EXPECT_TRUE(std::ranges::equal(two.targets, std::span(five.targets).first(two.targets.size())));
  task.train_batch(7, 4, 5, other);
  EXPECT_NE(other.inputs, five.inputs);
  task.train_batch(8, 3, 5, other);
  EXPECT_NE(other.inputs, five.inputs);
  EXPECT_NE(drawn(task, five, 0), drawn(task, five, 1));
}

TEST_P(EveryPromptTask, EncodesEveryPromptThatItDraws) {
  const auto task = GetParam().make_task(Layout::kCausal);
  Batch batch;
  task.train_batch(1, 0, 300, batch);
  for (Index row = 0; row < batch.rows; ++row) {
    const std::string prompt = prompt_text(task, batch, row);
    const std::vector<TokenId> tokens = task.encode_prompt(prompt);
    EXPECT_TRUE(std::ranges::equal(
        tokens, std::span(batch.inputs)
                    .subspan(static_cast<std::size_t>(row * batch.length), tokens.size())));
  }
}

// A mark in a prompt's place is never part of a question.
TEST_P(EveryPromptTask, RefusesMarksInsideAPromptWithAnExample) {
  const auto task = GetParam().make_task(Layout::kCausal);
  Batch batch;
  task.held_out_batch(0, 1, batch);
  const std::string prompt = prompt_text(task, batch, 0);
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    for (const char mark : {'|', '.'}) {
      std::string wrong = prompt;
      wrong[i] = mark;
      expect_error<ValueError>([&] { task.encode_prompt(wrong); },
                               "is no prompt; expected .*for example '");
    }
  }
}

TEST_P(EveryPromptTask, HeldOutPromptsDifferAndAreNeverTrainedOn) {
  const auto task = GetParam().make_task(Layout::kCausal);
  Batch batch;
  std::set<std::string> held_out;
  task.held_out_batch(0, task.held_out_rows(), batch);
  for (Index row = 0; row < batch.rows; ++row) held_out.insert(prompt_text(task, batch, row));
  EXPECT_EQ(static_cast<Index>(held_out.size()), task.held_out_rows());
  for (Index step = 0; step < 20; ++step) {
    task.train_batch(5, step, 500, batch);
    for (Index row = 0; row < batch.rows; ++row) {
      ASSERT_FALSE(held_out.contains(prompt_text(task, batch, row)));
    }
  }
}

TEST_P(EveryPromptTask, HeldOutRowsDoNotDependOnHowTheyAreAskedFor) {
  const auto task = GetParam().make_task(Layout::kParallel);
  Batch all;
  Batch some;
  task.held_out_batch(0, 10, all);
  task.held_out_batch(6, 3, some);
  for (Index row = 0; row < 3; ++row) EXPECT_EQ(drawn(task, some, row), drawn(task, all, 6 + row));
}

INSTANTIATE_TEST_SUITE_P(All, EveryPromptTask, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(PromptTask, TrainsOnEveryPromptThatIsNotHeldOut) {
  // 10 x 10 sums, 10 of them held out: here the redrawing decides.
  const auto task = make<AdditionExercise>(Layout::kCausal, 1);
  EXPECT_EQ(task.held_out_rows(), 10);
  Batch batch;
  std::map<std::string, int> seen;
  for (Index step = 0; step < 100; ++step) {
    task.train_batch(1, step, 90, batch);
    for (Index row = 0; row < batch.rows; ++row) ++seen[prompt_text(task, batch, row)];
  }
  EXPECT_EQ(seen.size(), 90);
  for (const auto& [prompt, count] : seen) {
    // Expected 100, standard deviation below 10.
    EXPECT_GT(count, 50) << prompt;
    EXPECT_LT(count, 150) << prompt;
  }
}

TEST(PromptTask, RecallDrawsDifferentKeysAndAsksForEachPlace) {
  const auto task = make<RecallExercise>(Layout::kCausal, 4, 6, 10);
  Batch batch;
  task.train_batch(1, 0, 2000, batch);
  std::map<std::size_t, int> asked;
  for (Index row = 0; row < batch.rows; ++row) {
    const auto prompt = prompt_text(task, batch, row);
    ASSERT_EQ(std::set<char>({prompt[0], prompt[2], prompt[4], prompt[6]}).size(), 4);
    ++asked[prompt.find(prompt.back())];
  }
  // Expected 500 each, standard deviation below 20.
  for (const std::size_t place : {0U, 2U, 4U, 6U}) EXPECT_NEAR(asked[place], 500, 100);
}

TEST(PromptTask, HoldsOutAsManyAsAskedFor) {
  EXPECT_EQ(make<ReverseExercise>(Layout::kCausal).held_out_rows(), 1000);
  const PromptTask few(std::make_unique<CopyExercise>(3, 10), Layout::kCausal, 500);
  EXPECT_EQ(few.held_out_rows(), 100);  // a tenth of the 1000 prompts
  expect_error<ValueError>([] { make<CopyExercise>(Layout::kCausal, 1, 20); },
                           "copy: there are only 20 different prompts, too few to hold out 10 .* "
                           "at least 100 are needed: raise length or symbols");
  expect_error<ValueError>([] { PromptTask(std::make_unique<CopyExercise>(), Layout::kCausal, 9); },
                           "copy: held_out is 9; it must be from 10 to 1000000");
}

TEST(PromptTask, RefusesRowsThatDoNotExist) {
  const auto task = make<CopyExercise>(Layout::kCausal);
  Batch batch;
  expect_error<ValueError>(
      [&] { task.held_out_batch(990, 11, batch); },
      "copy: held-out rows 990 to 1000 were asked for; there are rows 0 to 999");
  expect_error<ValueError>([&] { task.held_out_batch(-1, 1, batch); }, "held-out rows -1 to -1");
  expect_error<ValueError>([&] { task.held_out_batch(0, 0, batch); }, "held-out rows 0 to -1");
  expect_error<ValueError>([&] { task.train_batch(1, -1, 1, batch); }, "copy: training step -1");
  expect_error<ValueError>([&] { task.train_batch(1, 0, 0, batch); }, "copy: a batch of 0 rows");
}

TEST(PromptTask, RefusesImpossibleKeys) {
  expect_error<ValueError>([] { CopyExercise(0); }, "copy: length is 0; it must be from 1 to 4096");
  expect_error<ValueError>([] { ReverseExercise(4097); }, "reverse: length is 4097; it must be");
  expect_error<ValueError>([] { SortExercise(5, 1); },
                           "sort: symbols is 1; it must be from 2 to 62");
  expect_error<ValueError>([] { SortExercise(5, 63); }, "sort: symbols is 63; .*from 2 to 62");
  expect_error<ValueError>([] { AdditionExercise(0); },
                           "addition: digits is 0; it must be from 1 to 100");
  expect_error<ValueError>([] { RecallExercise(9, 8); },
                           "recall: pairs is 9; it must be from 1 to 8");
  expect_error<ValueError>([] { RecallExercise(1, 53); },
                           "recall: keys is 53; it must be from 1 to 52");
  expect_error<ValueError>([] { RecallExercise(1, 2, 11); },
                           "recall: values is 11; it must be from 2 to 10");
  expect_error<ValueError>([] { MultiplicationExercise(101); }, "digits is 101; .*from 1 to 100");
  expect_error<ValueError>([] { ParityExercise(0); }, "parity: length is 0; it must be from 1 to");
  expect_error<ValueError>([] { SelectiveCopyExercise(8, 9); },
                           "selective_copy: items is 9; it must be from 1 to 8");
  expect_error<ValueError>([] { LongRecallExercise(0); },
                           "distance is 0; it must be from 1 to 4096");
}

TEST(PromptTask, KeepsTheMemoryOfItsBatch) {
  const auto task = make<SortExercise>(Layout::kCausal);
  Batch batch;
  task.train_batch(1, 0, 64, batch);
  const auto* inputs = batch.inputs.data();
  const auto* targets = batch.targets.data();
  for (Index step = 1; step < 10; ++step) task.train_batch(1, step, 64, batch);
  EXPECT_EQ(batch.inputs.data(), inputs);
  EXPECT_EQ(batch.targets.data(), targets);
}

TEST(PromptSet, FindsExactlyWhatWasAdded) {
  PromptSet set(3, 200);
  for (TokenId i = 0; i < 200; ++i) EXPECT_TRUE(set.add(std::vector<TokenId>{i / 100, i % 100, 7}));
  EXPECT_FALSE(set.add(std::vector<TokenId>{1, 42, 7}));
  EXPECT_EQ(set.size(), 200);
  for (TokenId i = 0; i < 200; ++i) {
    EXPECT_TRUE(set.contains(std::vector<TokenId>{i / 100, i % 100, 7}));
    EXPECT_FALSE(set.contains(std::vector<TokenId>{i / 100, i % 100, 8}));
  }
  EXPECT_THAT(set[142], ElementsAre(1, 42, 7));
}

}  // namespace
}  // namespace tapehead
