#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "data/copy_exercise.h"
#include "data/prompt_task.h"
#include "data/reverse_exercise.h"
#include "data/sort_exercise.h"
#include "data/task_registry.h"
#include "tests/data/prompt_rows.h"
#include "tests/support/expect.h"

// Prompts of several lengths: task.min_length.

namespace tapehead {
namespace {

using testing::drawn;
using testing::expect_error;
using testing::make;
using testing::prompt_text;

std::string backwards_of(const std::string& text) { return {text.rbegin(), text.rend()}; }

TEST(MixedLengths, LayOutEachLengthAndFillTheRestUp) {
  const auto task = make<ReverseExercise>(Layout::kCausal, 5, 7, 2);
  ASSERT_EQ(task.length(), 11);
  Batch train, held_out;
  task.train_batch(1, 0, 400, train);
  task.held_out_batch(0, task.held_out_rows(), held_out);
  for (const Batch* batch : {&train, &held_out}) {
    std::set<std::size_t> lengths;
    for (Index row = 0; row < batch->rows; ++row) {
      const std::string prompt = prompt_text(task, *batch, row);
      const std::size_t rest = 2 * (5 - prompt.size());
      lengths.insert(prompt.size());
      ASSERT_EQ(drawn(task, *batch, row), prompt + ">" + backwards_of(prompt) +
                                              std::string(rest, '|') + "\n" +
                                              std::string(prompt.size(), '_') +
                                              backwards_of(prompt) + "|" + std::string(rest, '_'));
    }
    EXPECT_EQ(lengths, (std::set<std::size_t>{2, 3, 4, 5}));
  }
}

TEST(MixedLengths, PadSources) {
  const auto task = make<SortExercise>(Layout::kSourceTarget, 4, 7, 2);
  Batch batch;
  task.train_batch(1, 0, 100, batch);
  ASSERT_EQ(batch.source_length, 4);
  for (Index row = 0; row < batch.rows; ++row) {
    std::string source;
    for (Index t = 0; t < 4; ++t) {
      const TokenId token = batch.sources[static_cast<std::size_t>(4 * row + t)];
      source += token == kPadToken ? "" : task.symbol(token);
    }
    // What is filled up stands after the end.
    for (Index t = 0; t < 4; ++t) {
      const bool pad = batch.sources[static_cast<std::size_t>(4 * row + t)] == kPadToken;
      EXPECT_EQ(pad, t >= static_cast<Index>(source.size()));
    }
    std::string sorted = source;
    std::ranges::sort(sorted);
    const std::size_t rest = 4 - source.size();
    ASSERT_EQ(drawn(task, batch, row),
              ">" + sorted + std::string(rest, '|') + "\n" + sorted + "|" + std::string(rest, '_'));
  }
}

TEST(MixedLengths, AreDrawnEvenly) {
  const auto task = make<CopyExercise>(Layout::kCausal, 4, 10, 1);
  Batch batch;
  task.train_batch(3, 0, 4000, batch);
  std::map<std::size_t, int> count;
  for (Index row = 0; row < batch.rows; ++row) ++count[prompt_text(task, batch, row).size()];
  // Expected 1000 each, standard deviation 27.
  for (const std::size_t length : {1U, 2U, 3U, 4U}) EXPECT_NEAR(count[length], 1000, 140);
}

TEST(MixedLengths, HoldOutATenthOfEachLengthAtMostAndNeverTrainOnIt) {
  const auto task = make<CopyExercise>(Layout::kCausal, 4, 10, 1);
  Batch batch;
  task.held_out_batch(0, task.held_out_rows(), batch);
  std::set<std::string> held_out;
  std::map<std::size_t, int> count;
  for (Index row = 0; row < batch.rows; ++row) {
    const std::string prompt = prompt_text(task, batch, row);
    EXPECT_TRUE(held_out.insert(prompt).second);
    ++count[prompt.size()];
  }
  EXPECT_EQ(task.held_out_rows(), 1000);
  EXPECT_EQ(count[1], 1);   // of 10
  EXPECT_EQ(count[2], 10);  // of 100
  EXPECT_LE(count[3], 100);
  for (Index step = 0; step < 20; ++step) {
    task.train_batch(5, step, 500, batch);
    for (Index row = 0; row < batch.rows; ++row) {
      ASSERT_FALSE(held_out.contains(prompt_text(task, batch, row)));
    }
  }
  // 2 + 4 + ... + 64 prompts: the tenths 0, 0, 0, 1, 3, 6.
  EXPECT_EQ(make<CopyExercise>(Layout::kCausal, 6, 2, 1).held_out_rows(), 10);
}

// A guess of one symbol is right if the length is 1, of 4 lengths, and the symbol is it, of 10.
TEST(MixedLengths, AreGuessedByTheShortest) {
  EXPECT_DOUBLE_EQ(CopyExercise(4, 10, 1).chance(), 1.0 / 40);
  EXPECT_NEAR(SortExercise(4, 10, 2).chance(), 2.0 / 100 / 3, 1e-15);
}

TEST(MixedLengths, EqualLengthsAreTheSameTaskAsBefore) {
  const auto plain = make<CopyExercise>(Layout::kCausal, 5, 8);
  const auto equal = make<CopyExercise>(Layout::kCausal, 5, 8, 5);
  Batch a, b;
  plain.train_batch(2, 3, 50, a);
  equal.train_batch(2, 3, 50, b);
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.targets, b.targets);
}

TEST(MixedLengths, ReadAPersonsPromptOfEachLength) {
  const auto task = make<CopyExercise>(Layout::kCausal, 4, 10, 2);
  EXPECT_EQ(task.encode_prompt("31"), task.encode("3 1 >"));
  EXPECT_EQ(task.encode_prompt("3141"), task.encode("3 1 4 1 >"));
  expect_error<ValueError>([&] { task.encode_prompt("3"); },
                           "has 1 symbols, not 2 to 4; expected 2 to 4 of the symbols 0123456789");
  expect_error<ValueError>([&] { task.encode_prompt("31415"); }, "has 5 symbols, not 2 to 4");
}

TEST(MixedLengths, RefuseWhatCannotBe) {
  expect_error<ValueError>([] { CopyExercise(4, 10, 5); },
                           "copy: min_length is 5; it must be from 0 to 4");
  expect_error<ValueError>([] { make<CopyExercise>(Layout::kParallel, 4, 10, 2); },
                           "copy: min_length is 2 and length 4, but an encoder .* one length");
  TaskOptions options;
  options.name = "parity";
  options.min_length = 2;
  expect_error<ValueError>([&] { make_task(options); }, "task parity has no key 'min_length'");
}

}  // namespace
}  // namespace tapehead
