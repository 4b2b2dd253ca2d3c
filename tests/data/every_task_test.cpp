#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/random.h"
#include "data/task_registry.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using testing::TempDir;

/// What tokens and numbers a row holds, as one key; targets only if asked for.
std::vector<double> row_key(const Batch& batch, Index row, bool with_targets) {
  std::vector<double> key;
  const auto add = [&](const auto& values, Index width) {
    key.insert(key.end(), values.begin() + row * width, values.begin() + (row + 1) * width);
  };
  add(batch.sources, batch.source_length);
  if (batch.source_length == 0 || with_targets) add(batch.inputs, batch.length);
  add(batch.features, batch.length * batch.feature_width);
  if (!with_targets) return key;
  add(batch.targets, batch.length);
  add(batch.real_targets, batch.length * batch.target_width);
  return key;
}

/// The row without its answer, which follows '>'.
std::vector<double> question(const Task& task, const Batch& batch, Index row) {
  auto key = row_key(batch, row, false);
  if (batch.source_length > 0 || !task.start_token()) return key;
  key.erase(std::ranges::find(key, *task.start_token()), key.end());
  return key;
}

/// Each task but dataset, which others of these are written to, with its defaults.
class EveryTask : public ::testing::TestWithParam<std::string> {
 protected:
  /// With `key` set to `value`, if there is one.
  std::unique_ptr<Task> make(Layout layout = Layout::kCausal, std::string_view key = "",
                             double value = 0) const {
    TaskOptions options;
    for (const TaskField& field : task_fields()) {
      if (field.name != key) continue;
      if (const auto* whole = std::get_if<TaskField::Member<Index>>(&field.member)) {
        options.** whole = static_cast<Index>(value);
      } else {
        options.*std::get<TaskField::Member<double>>(field.member) = value;
      }
    }
    options.name = GetParam();
    options.layout = layout;
    if (options.name == "text") options.path = dir_.write("t.txt", letters(20000, ' ')).string();
    if (options.name == "names") options.path = dir_.write("n.txt", letters(3000, '\n')).string();
    return make_task(options);
  }

 private:
  /// Random small letters, about every fifth `separator`.
  static std::string letters(Index count, char separator) {
    Random random(1);
    std::string text;
    for (Index i = 0; i < count; ++i) {
      const Index n = random.below(5);
      text += n == 0 ? separator : static_cast<char>('a' + random.below(26));
    }
    return text;
  }

  TempDir dir_;
};

TEST_P(EveryTask, BatchIsAPureFunctionOfSeedStepAndRow) {
  const auto task = make();
  Batch first, other, again;
  task->train_batch(7, 3, 8, first);
  task->train_batch(9, 0, 4, again);  // what was drawn before must not matter
  make()->train_batch(7, 3, 5, again);
  for (Index row = 0; row < 5; ++row)
    EXPECT_EQ(row_key(first, row, true), row_key(again, row, true));
  EXPECT_NE(row_key(first, 0, true), row_key(first, 1, true));
  task->train_batch(7, 4, 8, other);
  EXPECT_NE(row_key(first, 0, true), row_key(other, 0, true));
  task->train_batch(8, 3, 8, other);
  EXPECT_NE(row_key(first, 0, true), row_key(other, 0, true));
}

TEST_P(EveryTask, HeldOutExamplesAreNeverTrainedOn) {
  const auto task = make();
  Batch batch;
  std::set<std::vector<double>> held_out;
  task->held_out_batch(0, task->held_out_rows(), batch);
  for (Index row = 0; row < batch.rows; ++row) held_out.insert(question(*task, batch, row));
  for (Index step = 0; step < 20; ++step) {
    task->train_batch(5, step, 500, batch);
    for (Index row = 0; row < batch.rows; ++row) {
      ASSERT_FALSE(held_out.contains(question(*task, batch, row)));
    }
  }
}

TEST_P(EveryTask, HeldOutRowsDoNotDependOnHowTheyAreAskedFor) {
  const auto task = make();
  Batch all, some;
  task->held_out_batch(0, 10, all);
  make()->held_out_batch(6, 3, some);
  for (Index row = 0; row < 3; ++row) {
    EXPECT_EQ(row_key(some, row, true), row_key(all, 6 + row, true));
  }
}

TEST_P(EveryTask, AsksForTokensThatItHas) {
  const auto task = make();
  Batch batch;
  Index asked = 0;
  task->train_batch(1, 0, 200, batch);
  ASSERT_EQ(batch.length, task->length());
  EXPECT_EQ(batch.feature_width, task->feature_width());
  for (const TokenId token : batch.inputs) ASSERT_TRUE(token >= 0 && token < task->vocabulary());
  for (const TokenId token : batch.targets) {
    if (token == kIgnoreTarget) continue;
    ASSERT_TRUE(token >= 0 && token < task->vocabulary());
    ++asked;
  }
  EXPECT_GE(asked, batch.rows);
}

TEST_P(EveryTask, RefusesRowsThatDoNotExist) {
  const auto task = make();
  const std::string name = GetParam();
  const Index rows = task->held_out_rows();
  Batch batch;
  testing::expect_error<ValueError>([&] { task->held_out_batch(rows - 1, 2, batch); },
                                    name + ": held-out rows .* there are rows 0 to");
  testing::expect_error<ValueError>([&] { task->train_batch(1, -1, 1, batch); },
                                    name + ": training step -1");
  testing::expect_error<ValueError>([&] { task->train_batch(1, 0, 0, batch); },
                                    name + ": a batch of 0 rows");
}

// The text for people begins with the number that the task computes from its keys.
TEST_P(EveryTask, TellsItsChance) {
  const auto chance = make()->chance();
  if (GetParam() == "text" || GetParam() == "names") {
    EXPECT_FALSE(chance.has_value());  // it depends on the file
    return;
  }
  ASSERT_TRUE(chance.has_value());
  const double told = std::strtod(task_info(GetParam()).chance.c_str(), nullptr);
  EXPECT_NEAR(told, *chance, 0.02 * *chance);
}

/// The number that a limit stands for, such as "64", "length" or "length / 4", with the defaults.
double limit_value(const TaskInfo& info, const std::string& text) {
  const auto space = text.find(' ');
  const std::string first = text.substr(0, space);
  const auto key = std::ranges::find(info.keys, first, &TaskKey::name);
  if (key == info.keys.end()) return std::stod(first);
  const auto value = static_cast<double>(std::get<Index>(key->default_value));
  if (space == std::string::npos) return value;
  const double operand = std::stod(text.substr(space + 3));
  return text[space + 1] == '/' ? value / operand : value + operand;
}

// Just outside the limits that are told, the task says the same ones.
TEST_P(EveryTask, KeepsTheLimitsThatItTells) {
  const TaskInfo info = task_info(GetParam());
  for (const TaskKey& key : info.keys) {
    const auto to = key.limits.find(" to ");
    if (to == std::string::npos) continue;  // a part of a whole, or no limits
    const std::string high_text = key.limits.substr(to + 4);
    const double low = limit_value(info, key.limits.substr(0, to));
    const double high = limit_value(info, high_text.substr(0, high_text.find(',')));
    const std::string message =
        fmt::format("{}: {} is .*; it must be from {} to {}$", GetParam(), key.name, low, high);
    for (const double outside : {low - 1, high + 1}) {
      testing::expect_error<ValueError>([&] { make(Layout::kCausal, key.name, outside); }, message);
    }
  }
}

std::vector<std::string> without_dataset() {
  auto names = task_names();
  std::erase(names, "dataset");
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryTask, ::testing::ValuesIn(without_dataset()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace tapehead
