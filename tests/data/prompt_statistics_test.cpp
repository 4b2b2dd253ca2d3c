// What the prompts of a task are like on the whole, and how likely their answers.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "data/addition_exercise.h"
#include "data/copy_exercise.h"
#include "data/long_recall_exercise.h"
#include "data/multiplication_exercise.h"
#include "data/parity_exercise.h"
#include "data/recall_exercise.h"
#include "data/selective_copy_exercise.h"
#include "data/sort_exercise.h"
#include "tests/data/prompt_rows.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::drawn;
using testing::expect_error;
using testing::make;
using testing::prompt_text;

// Where n symbols stand among noise, each place has one as often as the others.
TEST(PromptStatistics, SelectiveCopyUsesAllPlacesEvenly) {
  const auto task = make<SelectiveCopyExercise>(Layout::kCausal, 12, 3, 5);
  Batch batch;
  task.train_batch(1, 0, 4000, batch);
  std::vector<int> symbols(12);
  for (Index row = 0; row < batch.rows; ++row) {
    const auto prompt = prompt_text(task, batch, row);
    ASSERT_EQ(std::ranges::count(prompt, '-'), 9);
    for (std::size_t i = 0; i < 12; ++i) symbols[i] += prompt[i] == '-' ? 0 : 1;
  }
  // Expected 1000 each, standard deviation below 28.
  for (const int count : symbols) EXPECT_NEAR(count, 1000, 140);
}

/// The longest run of neighbouring digits that carry, from the carries of column addition.
int longest_carry(const std::string& prompt) {
  const auto digits = prompt.find('+');
  int carry = 0;
  int run = 0;
  int longest = 0;
  for (std::size_t i = digits; i-- > 0;) {
    carry = (prompt[i] - '0') + (prompt[digits + 1 + i] - '0') + carry > 9 ? 1 : 0;
    run = carry == 1 ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

TEST(PromptStatistics, HoldsOutTheSumsThatCarryFarAndNoOthers) {
  const auto task = make<AdditionExercise>(Layout::kCausal, 4, true, 2);
  Batch batch;
  task.held_out_batch(0, task.held_out_rows(), batch);
  EXPECT_EQ(batch.rows, 1000);
  for (Index row = 0; row < batch.rows; ++row) {
    EXPECT_GE(longest_carry(prompt_text(task, batch, row)), 2);
  }
  int carries = 0;
  task.train_batch(1, 0, 2000, batch);
  for (Index row = 0; row < batch.rows; ++row) {
    const int longest = longest_carry(prompt_text(task, batch, row));
    ASSERT_LT(longest, 2);
    carries += longest;
  }
  EXPECT_GT(carries, 500);  // single carries are trained on
  expect_error<ValueError>([] { make<AdditionExercise>(Layout::kCausal, 30, true, 1); },
                           "of the kind that is held out, .* must be left to train on: change "
                           "carries or digits");
  expect_error<ValueError>([] { make<AdditionExercise>(Layout::kCausal, 30, true, 30); },
                           "addition: of 200000 prompts drawn, 0 are of the kind");
  expect_error<ValueError>([] { make<AdditionExercise>(Layout::kCausal, 3, true, 4); },
                           "addition: carries is 4; it must be from 0 to 3");
}

// chance() is that of the most likely answer. Where all prompts can be drawn, it can be counted.
TEST(PromptStatistics, StatesTheChanceOfTheMostLikelyAnswer) {
  const auto expect_chance = [](const PromptTask& task) {
    Batch batch;
    std::map<std::string, double> answers;
    constexpr Index kRows = 50000;
    task.train_batch(1, 0, kRows, batch);
    for (Index row = 0; row < batch.rows; ++row) {
      const std::string line = drawn(task, batch, row);
      const auto start = line.find('>');
      answers[line.substr(start, line.find('\n') - start)] += 1.0 / kRows;
    }
    double most = 0;
    for (const auto& [answer, share] : answers) most = std::max(most, share);
    const double chance = *task.chance();
    EXPECT_NEAR(most, chance, 6 * std::sqrt(chance / kRows)) << task.name();
  };
  // The most frequent of many equally likely answers lies a few standard deviations above them.
  expect_chance(PromptTask(std::make_unique<SortExercise>(8, 3), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<SortExercise>(5, 4), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<CopyExercise>(3, 6), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<AdditionExercise>(2), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<MultiplicationExercise>(2), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<ParityExercise>(10, false), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<RecallExercise>(3, 4, 3), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<LongRecallExercise>(5, 4), Layout::kCausal, 10));
  expect_chance(PromptTask(std::make_unique<SelectiveCopyExercise>(6, 2, 4), Layout::kCausal, 10));
}

}  // namespace
}  // namespace tapehead
