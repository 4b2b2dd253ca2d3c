#include "data/names_task.h"

#include <set>
#include <string>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using testing::TempDir;

/// The item in row `row`.
std::string item_of(const Task& task, const Batch& batch, Index row) {
  const auto begin = batch.inputs.begin() + row * batch.length;
  std::string text = task.decode({begin + 1, begin + batch.length});
  return text.substr(0, text.find('\n'));
}

/// Lines "n0", "n1", ... up to `count`.
std::string numbered(Index count) {
  std::string text;
  for (Index i = 0; i < count; ++i) text += "n" + std::to_string(i) + "\n";
  return text;
}

TEST(NamesTask, LaysOutAnItemARow) {
  const TempDir dir;
  std::string text = "emma\n  olivia \r\n\n\t\n";
  for (int i = 0; i < 100; ++i) text += "ab\n";
  const NamesTask task(dir.write("n.txt", text + "zoé"), 10);
  EXPECT_EQ(task.length(), 7);  // olivia and a line break
  EXPECT_EQ(task.symbols().symbols(),
            (std::vector<std::string>{"\n", "a", "b", "e", "i", "l", "m", "o", "v", "z", "é"}));
  Batch batch;
  for (Index step = 0;; ++step) {  // until the row is there that is looked for
    task.train_batch(1, step, 1, batch);
    if (item_of(task, batch, 0) == "emma") break;
    ASSERT_LT(step, 1000);
  }
  EXPECT_THAT(batch.inputs, ElementsAre(0, 3, 6, 6, 1, 0, 0));
  EXPECT_THAT(batch.targets, ElementsAre(3, 6, 6, 1, 0, kIgnoreTarget, kIgnoreTarget));
  EXPECT_THAT(task.encode_prompt("em"), ElementsAre(0, 3, 6));
  EXPECT_THAT(task.encode_prompt(""), ElementsAre(0));
  EXPECT_EQ(task.end_token(), 0);
}

// torch.manual_seed(3407); torch.randperm(120)[-12:] in PyTorch 1.13, and the same of 1000 lines,
// the last three of the last 100.
TEST(NamesTask, HoldsOutTheItemsOfMakemore) {
  const TempDir dir;
  const NamesTask few(dir.write("few.txt", numbered(120)));
  EXPECT_EQ(few.held_out_rows(), 12);
  EXPECT_EQ(few.train_size(), 108);
  const NamesTask more(dir.write("more.txt", numbered(1000)));
  EXPECT_EQ(more.held_out_rows(), 100);
  Batch batch;
  few.held_out_batch(0, 12, batch);
  std::vector<std::string> items;
  for (Index row = 0; row < 12; ++row) items.push_back(item_of(few, batch, row));
  EXPECT_THAT(items, ElementsAre("n118", "n86", "n75", "n101", "n23", "n55", "n85", "n34", "n70",
                                 "n11", "n10", "n7"));
  more.held_out_batch(97, 3, batch);
  items.clear();
  for (Index row = 0; row < 3; ++row) items.push_back(item_of(more, batch, row));
  EXPECT_THAT(items, ElementsAre("n799", "n157", "n607"));
}

TEST(NamesTask, LeavesOutOfTrainingWhatIsHeldOut) {
  const TempDir dir;
  const NamesTask task(dir.write("n.txt", numbered(100) + numbered(100)), 20);
  EXPECT_EQ(task.held_out_rows(), 20);
  Batch batch;
  std::set<std::string> held_out, trained;
  task.held_out_batch(0, 20, batch);
  for (Index row = 0; row < 20; ++row) held_out.insert(item_of(task, batch, row));
  task.train_batch(1, 0, 5000, batch);
  for (Index row = 0; row < 5000; ++row) trained.insert(item_of(task, batch, row));
  for (const std::string& item : held_out) EXPECT_FALSE(trained.contains(item));
  EXPECT_EQ(held_out.size() + trained.size(), 100U);
}

TEST(NamesTask, RefusesFilesWithoutNames) {
  const TempDir dir;
  expect_error<IoError>([&] { NamesTask(dir / "none"); }, "names: there is no file '.*none'");
  expect_error<IoError>([&] { NamesTask(dir.path()); }, "is a directory; expected a text file");
  expect_error<IoError>([&] { NamesTask(dir.write("e", "")); }, "names: '.*e' is empty");
  expect_error<IoError>([&] { NamesTask(dir.write("b", "a\xFF\n")); },
                        "names: '.*b' is not UTF-8: .* at byte 2");
  expect_error<ValueError>([&] { NamesTask(dir.write("w", " \n\n")); },
                           "there are only 0 different prompts, .* the number of lines");
  expect_error<ValueError>([&] { NamesTask(dir.write("f", numbered(99))); }, "only 99 different");
  expect_error<ValueError>([&] { NamesTask(dir.write("n", numbered(200)), 9); },
                           "names: held_out is 9; it must be from 10 to");
  expect_error<ValueError>(
      [&] { NamesTask(dir.write("l", numbered(200) + std::string(1001, 'x'))); },
      "has an item of 1001 letters, 'xxxxxxxxxxxxxxxxxxxx ...'; expected at most 1000: put one");
  std::string same;
  for (int i = 0; i < 100; ++i) same += "ab\n";
  expect_error<ValueError>([&] { NamesTask(dir.write("s", same)); }, "nothing is left to train on");
}

}  // namespace
}  // namespace tapehead
