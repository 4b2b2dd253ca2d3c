#include "data/label_task.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "data/bigrams_labelling.h"
#include "data/dyck_labelling.h"
#include "data/induction_labelling.h"
#include "data/majority_labelling.h"
#include "data/mqar_labelling.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_error;

struct LabelledRow {
  std::vector<TokenId> inputs;
  std::vector<TokenId> targets;
};

/// The first rows of training with seed 1 of the labelling, `task` made of it.
template <typename L, typename... Keys>
std::vector<LabelledRow> rows_of(Index count, Keys... keys) {
  const LabelTask task(std::make_unique<L>(keys...), Layout::kCausal);
  Batch batch;
  task.train_batch(1, 0, count, batch);
  std::vector<LabelledRow> rows;
  for (auto row = batch.inputs.begin(), target = batch.targets.begin(); row != batch.inputs.end();
       row += batch.length, target += batch.length) {
    rows.push_back({{row, row + batch.length}, {target, target + batch.length}});
  }
  return rows;
}

/// The share of labels that are the most frequent one.
double best_constant_guess(const std::vector<LabelledRow>& rows) {
  std::map<TokenId, double> counts;
  double all = 0;
  for (const LabelledRow& row : rows) {
    for (const TokenId target : row.targets) {
      if (target == kIgnoreTarget) continue;
      counts[target] += 1;
      all += 1;
    }
  }
  double most = 0;
  for (const auto& [label, count] : counts) most = std::max(most, count);
  return most / all;
}

TEST(LabelTask, MajorityIsThatOfTheBitsSoFar) {
  const auto rows = rows_of<MajorityLabelling>(2000, 32);
  for (const auto& [inputs, targets] : rows) {
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const auto ones = std::count(inputs.begin(), inputs.begin() + 1 + static_cast<Index>(t), 1);
      ASSERT_EQ(targets[t], 2 * ones > static_cast<Index>(t) + 1 ? 1 : 0);
    }
  }
  EXPECT_NEAR(best_constant_guess(rows), MajorityLabelling(32).chance(), 0.02);
}

/// Takes out "()" again and again, unlike the task, which keeps a stack; what is left are the open
/// brackets.
std::string open_brackets(std::string word, Index kinds) {
  const auto is_pair = [&](std::size_t i) { return word[i] + kinds == word[i + 1]; };
  for (std::size_t i = 0; i + 1 < word.size();) {
    if (!is_pair(i)) {
      ++i;
      continue;
    }
    word.erase(i, 2);
    i = 0;
  }
  return word;
}

TEST(LabelTask, DyckAsksForTheBracketThatClosesTheInnermostOpenOne) {
  constexpr Index kKinds = 3;
  constexpr Index kDepth = 4;
  std::size_t deepest = 0;
  const auto rows = rows_of<DyckLabelling>(1000, Index{24}, kDepth, kKinds);
  for (const auto& [inputs, targets] : rows) {
    std::string word;
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      word += static_cast<char>(inputs[t]);
      const std::string open = open_brackets(word, kKinds);
      ASSERT_TRUE(std::ranges::all_of(open, [](char c) { return c < kKinds; }));
      ASSERT_LE(open.size(), kDepth);
      ASSERT_EQ(targets[t], open.empty() ? 2 * kKinds : open.back() + kKinds);
      deepest = std::max(deepest, open.size());
    }
  }
  EXPECT_EQ(deepest, kDepth);
  EXPECT_NEAR(best_constant_guess(rows), DyckLabelling(24, kDepth, kKinds).chance(), 0.02);
}

TEST(LabelTask, DyckCountsItsWords) {
  // Of one kind and depth 1, there is one word of each length; of depth 2, every second bracket is
  // free, apart from the first.
  EXPECT_EQ(DyckLabelling(7, 1, 1).sequence_count(), 1);
  EXPECT_EQ(DyckLabelling(7, 2, 1).sequence_count(), 8);
  EXPECT_EQ(DyckLabelling(6, 1, 5).sequence_count(), 125);
  EXPECT_EQ(DyckLabelling(6, 1, 5).chance(), 0.5);  // closed at every second bracket
}

// Both brackets that are possible are equally likely.
TEST(LabelTask, DyckOpensAndClosesEvenly) {
  int opened = 0;
  int both = 0;
  for (const auto& [inputs, targets] :
       rows_of<DyckLabelling>(2000, Index{40}, Index{3}, Index{2})) {
    int open = 0;
    for (const TokenId token : inputs) {
      const bool opens = token < 2;
      if (open > 0 && open < 3) {
        ++both;
        opened += opens ? 1 : 0;
      }
      open += opens ? 1 : -1;
    }
  }
  EXPECT_NEAR(opened / static_cast<double>(both), 0.5, 5 * 0.5 / std::sqrt(both));
}

// The definition in words, on rows with filler 0.
TEST(LabelTask, MqarAsksForTheValueOfEachKeyOnce) {
  for (const auto& [inputs, targets] :
       rows_of<MqarLabelling>(1000, Index{64}, Index{4}, Index{256}, 0.01, false)) {
    std::map<TokenId, TokenId> values;
    std::set<TokenId> different_values;
    for (std::size_t i = 0; i < 8; i += 2) {
      ASSERT_TRUE(inputs[i] >= 1 && inputs[i] < 128);
      ASSERT_TRUE(inputs[i + 1] >= 128 && inputs[i + 1] < 256);
      values[inputs[i]] = inputs[i + 1];
      different_values.insert(inputs[i + 1]);
    }
    ASSERT_EQ(values.size(), 4U);
    ASSERT_EQ(different_values.size(), 4U);
    std::set<TokenId> asked;
    for (std::size_t t = 0; t < 64; ++t) {
      const bool is_query = t >= 8 && inputs[t] != 0;
      ASSERT_EQ(targets[t], is_query ? values.at(inputs[t]) : kIgnoreTarget);
      if (!is_query) continue;
      ASSERT_EQ(t % 2, 0U);
      asked.insert(inputs[t]);
    }
    ASSERT_EQ(asked.size(), 4U);
  }
}

// With one pair, its query stands at place i = 1 .. n with probability i^(a - 1) / sum.
TEST(LabelTask, MqarPlacesQueriesByThePowerLaw) {
  constexpr Index kRows = 20000;
  for (const double power : {0.01, 1.0, 2.0}) {
    std::array<double, 7> counts{};
    for (const auto& row :
         rows_of<MqarLabelling>(kRows, Index{16}, Index{1}, Index{1000}, power, false)) {
      for (std::size_t t = 2; t < 16; ++t) {
        if (row.targets[t] != kIgnoreTarget) counts[(t - 2) / 2] += 1;
      }
    }
    double sum = 0;
    for (int i = 1; i <= 7; ++i) sum += std::pow(i, power - 1);
    for (std::size_t i = 0; i < 7; ++i) {
      const double p = std::pow(static_cast<double>(i + 1), power - 1) / sum;
      EXPECT_NEAR(counts[i], p * kRows, 5 * std::sqrt(p * kRows)) << power << ", place " << i + 1;
    }
  }
}

TEST(LabelTask, MqarDrawsKeysAndValuesEvenly) {
  std::map<TokenId, int> counts;
  // Keys are 1 to 5, values 6 to 11.
  for (const auto& row : rows_of<MqarLabelling>(6000, Index{8}, Index{2}, Index{12}, 1.0, false)) {
    ++counts[row.inputs[0]];
    ++counts[row.inputs[1]];
  }
  ASSERT_EQ(counts.size(), 11U);
  for (const auto& [token, count] : counts) EXPECT_NEAR(count, token < 6 ? 1200 : 1000, 170);
}

TEST(LabelTask, MqarFillsWithRandomSymbolsWhereAsked) {
  std::set<TokenId> fillers;
  for (const auto& [inputs, targets] :
       rows_of<MqarLabelling>(200, Index{32}, Index{2}, Index{40}, 0.01, true)) {
    for (std::size_t t = 4; t < 32; ++t) {
      if (targets[t] == kIgnoreTarget) fillers.insert(inputs[t]);
    }
    for (std::size_t t = 4; t < 32; ++t) {
      if (targets[t] == kIgnoreTarget) continue;
      const auto at = std::find(inputs.begin(), inputs.begin() + 4, inputs[t]) - inputs.begin();
      ASSERT_TRUE(at == 0 || at == 2);
      ASSERT_EQ(targets[t], inputs[static_cast<std::size_t>(at + 1)]);
    }
  }
  EXPECT_EQ(fillers.size(), 40U);  // 0 too, which a random number may be
}

TEST(LabelTask, InductionAsksForWhatFollowedTheTrigger) {
  constexpr TokenId kTrigger = 16;
  std::array<double, 20> first_at{};
  std::array<double, 16> answers{};
  constexpr Index kRows = 18000;
  for (const auto& [inputs, targets] : rows_of<InductionLabelling>(kRows, 20, 16)) {
    ASSERT_EQ(std::count(inputs.begin(), inputs.end(), kTrigger), 2);
    ASSERT_EQ(inputs.back(), kTrigger);
    const auto first = std::find(inputs.begin(), inputs.end(), kTrigger) - inputs.begin();
    ASSERT_LT(first, 18);  // something follows it
    ASSERT_EQ(targets.back(), inputs[static_cast<std::size_t>(first + 1)]);
    ASSERT_EQ(std::count(targets.begin(), targets.end(), kIgnoreTarget), 19);
    first_at[static_cast<std::size_t>(first)] += 1;
    answers[static_cast<std::size_t>(targets.back())] += 1;
  }
  for (std::size_t t = 0; t < 18; ++t) EXPECT_NEAR(first_at[t], 1000, 160) << t;
  for (const double count : answers) EXPECT_NEAR(count, kRows / 16.0, 170);
}

TEST(LabelTask, BigramsFollowTheirRowAfterTriggersAndTheChainElsewhere) {
  constexpr TokenId kTriggers = 3;
  constexpr Index kSymbols = 10;
  const BigramsLabelling chain(40, kSymbols, kTriggers);
  std::map<std::pair<TokenId, TokenId>, double> counts;
  std::map<TokenId, double> from_counts;
  std::array<double, kSymbols> continuations{};
  double rows = 0;
  for (const auto& [inputs, targets] :
       rows_of<BigramsLabelling>(4000, Index{40}, kSymbols, Index{kTriggers})) {
    std::map<TokenId, TokenId> continuation;
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const bool known = continuation.contains(inputs[t]);
      const bool asked = inputs[t] < kTriggers && known;
      ASSERT_EQ(targets[t], asked ? continuation[inputs[t]] : kIgnoreTarget);
      if (t + 1 == inputs.size()) continue;
      if (inputs[t] < kTriggers) {
        if (!known) continuation[inputs[t]] = inputs[t + 1];
        ASSERT_EQ(inputs[t + 1], continuation[inputs[t]]);
      } else {
        counts[{inputs[t], inputs[t + 1]}] += 1;
        from_counts[inputs[t]] += 1;
      }
    }
    for (const auto& [trigger, next] : continuation) {
      continuations[static_cast<std::size_t>(next)] += 1;
      rows += 1;
    }
  }
  for (TokenId from = kTriggers; from < kSymbols; ++from) {
    double sum = 0;
    for (TokenId to = 0; to < kSymbols; ++to) {
      const double p = chain.probability(from, to);
      sum += p;
      const double n = from_counts[from];
      EXPECT_NEAR((counts[{from, to}]), p * n, 5 * std::sqrt(p * n) + 5) << from << " " << to;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  for (TokenId next = 0; next < kSymbols; ++next) {
    const double expected = next < kTriggers ? 0 : rows / (kSymbols - kTriggers);
    EXPECT_NEAR(continuations[static_cast<std::size_t>(next)], expected, 5 * std::sqrt(expected));
  }
}

TEST(LabelTask, TrainsOnEverySequenceThatIsNotHeldOut) {
  // 128 sequences, 12 of them held out: here the redrawing decides.
  const LabelTask task(std::make_unique<MajorityLabelling>(7), Layout::kCausal);
  ASSERT_EQ(task.held_out_rows(), 12);
  Batch batch;
  std::set<std::vector<TokenId>> held_out, trained;
  const auto add_rows = [&batch](std::set<std::vector<TokenId>>& to) {
    for (auto row = batch.inputs.begin(); row != batch.inputs.end(); row += 7) {
      to.insert({row, row + 7});
    }
  };
  task.held_out_batch(0, 12, batch);
  add_rows(held_out);
  task.train_batch(1, 0, 5000, batch);
  add_rows(trained);
  EXPECT_EQ(held_out.size(), 12U);
  EXPECT_EQ(trained.size(), 116U);
  for (const auto& sequence : held_out) EXPECT_FALSE(trained.contains(sequence));
}

TEST(LabelTask, TakesPromptsUpToItsLength) {
  const LabelTask task(std::make_unique<InductionLabelling>(6, 10), Layout::kCausal);
  EXPECT_EQ(task.encode_prompt("3!4"), (std::vector<TokenId>{3, 10, 4}));
  expect_error<ValueError>([&] { task.encode_prompt("0123456"); },
                           "induction: the prompt '0123456' has 7 symbols; expected 1 to 6, as in");
  expect_error<ValueError>([&] { task.encode_prompt(""); }, "has 0 symbols");
}

TEST(LabelTask, RefusesImpossibleKeys) {
  expect_error<ValueError>([] { MajorityLabelling(0); },
                           "majority: length is 0; it must be from 1");
  expect_error<ValueError>([] { DyckLabelling(10, 0); }, "dyck: depth is 0; it must be from 1");
  expect_error<ValueError>([] { DyckLabelling(10, 3, 31); }, "symbols is 31; .*from 1 to 30");
  expect_error<ValueError>([] { MqarLabelling(63); },
                           "mqar: length is 63; it must be even, 62 or 64 say");
  expect_error<ValueError>([] { MqarLabelling(64, 17); }, "pairs is 17; it must be from 1 to 16");
  expect_error<ValueError>([] { MqarLabelling(64, 4, 64); }, "symbols is 64; it must be from 65");
  expect_error<ValueError>([] { MqarLabelling(64, 4, 256, -1); },
                           "mqar: power is -1; it must be from 0 to 10");
  expect_error<ValueError>([] { MqarLabelling(64, 4, 256, std::nan("")); }, "power is nan");
  expect_error<ValueError>([] { InductionLabelling(2); }, "induction: length is 2; .*from 3");
  expect_error<ValueError>([] { BigramsLabelling(64, 8, 5); }, "triggers is 5; .*from 1 to 4");
  expect_error<ValueError>(
      [] { LabelTask(std::make_unique<MajorityLabelling>(6), Layout::kCausal); },
      "majority: there are only 64 different prompts, too few .*: raise length");
}

}  // namespace
}  // namespace tapehead
