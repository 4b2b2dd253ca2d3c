#include "data/modular_addition_task.h"

#include <map>
#include <set>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_error;
using Pair = std::pair<TokenId, TokenId>;

/// The pairs of a batch, whose rows must be right.
std::vector<Pair> pairs_of(const Batch& batch, TokenId modulus) {
  std::vector<Pair> pairs;
  for (std::size_t at = 0; at < batch.inputs.size(); at += 3) {
    const TokenId a = batch.inputs[at];
    const TokenId b = batch.inputs[at + 1];
    EXPECT_TRUE(a >= 0 && a < modulus && b >= 0 && b < modulus);
    EXPECT_EQ(batch.inputs[at + 2], modulus);
    EXPECT_EQ(batch.targets[at], kIgnoreTarget);
    EXPECT_EQ(batch.targets[at + 1], kIgnoreTarget);
    EXPECT_EQ(batch.targets[at + 2], a + b < modulus ? a + b : a + b - modulus);
    pairs.emplace_back(a, b);
  }
  return pairs;
}

TEST(ModularAdditionTask, SplitsAllPairs) {
  const ModularAdditionTask task(11, 0.3);
  EXPECT_EQ(task.train_size(), 36);  // of 121
  EXPECT_EQ(task.held_out_rows(), 85);
  Batch batch;
  task.held_out_batch(0, 85, batch);
  const auto held_out = pairs_of(batch, 11);
  std::set<Pair> all(held_out.begin(), held_out.end());
  EXPECT_EQ(all.size(), 85U);
  task.train_batch(3, 0, 36, batch);
  for (const Pair& pair : pairs_of(batch, 11)) EXPECT_TRUE(all.insert(pair).second);
  EXPECT_EQ(all.size(), 121U);
}

TEST(ModularAdditionTask, DrawsDifferentPairsAndEachAsOften) {
  const ModularAdditionTask task(13, 0.5);  // 85 of 169 pairs
  std::map<Pair, int> counts;
  Batch batch;
  for (Index step = 0; step < 2000; ++step) {
    task.train_batch(1, step, 17, batch);
    const auto pairs = pairs_of(batch, 13);
    ASSERT_EQ(std::set<Pair>(pairs.begin(), pairs.end()).size(), 17U);
    for (const Pair& pair : pairs) ++counts[pair];
  }
  ASSERT_EQ(counts.size(), 85U);
  // Expected 400 each, standard deviation below 20.
  for (const auto& [pair, count] : counts) EXPECT_NEAR(count, 400, 100);
  task.train_batch(1, 0, 2 * 85, batch);  // more than there are: each twice
  counts.clear();
  for (const Pair& pair : pairs_of(batch, 13)) ++counts[pair];
  for (const auto& [pair, count] : counts) EXPECT_EQ(count, 2);
}

TEST(ModularAdditionTask, TakesTwoNumbers) {
  const ModularAdditionTask task(7, 0.5);
  EXPECT_EQ(task.encode_prompt("5 4"), (std::vector<TokenId>{5, 4, 7}));
  EXPECT_EQ(task.encode_prompt("5 4 ="), (std::vector<TokenId>{5, 4, 7}));
  for (const char* text : {"5", "5 = 4", "1 2 3", "= ="}) {
    expect_error<ValueError>([&] { task.encode_prompt(text); },
                             "is no prompt; expected two numbers below 7 and '=', for example");
  }
}

TEST(ModularAdditionTask, RefusesImpossibleKeys) {
  expect_error<ValueError>([] { ModularAdditionTask(4); },
                           "modular_addition: modulus is 4; it must be from 5 to 1000");
  for (const double fraction : {0.0, 1.0, 0.999, -1.0, std::nan("")}) {
    expect_error<ValueError>([&] { ModularAdditionTask(5, fraction); },
                             "train_fraction is .*; it must leave some of the 25 pairs");
  }
}

}  // namespace
}  // namespace tapehead
