#include "data/text_task.h"

#include <map>
#include <set>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using testing::expect_error;
using testing::TempDir;

/// Every place of the text differs: token i is the i-th of 200 characters from U+4E00 on.
std::string numbered_text() {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    const int c = 0x4E00 + i;
    text += static_cast<char>(0xE0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
  }
  return text;
}

TEST(TextTask, HasTheSortedCharactersOfTheFile) {
  const TempDir dir;
  const TextTask task(dir.write("t.txt", "hello\nwörld\n"), 2, 0.5);
  EXPECT_EQ(task.vocabulary(), 9);
  std::string all;
  for (TokenId t = 0; t < 9; ++t) all += task.symbol(t);
  EXPECT_EQ(all, "\\ndehlorwö");
  EXPECT_EQ(task.decode(task.encode("wörld\n")), "wörld\n");
  EXPECT_FALSE(task.counts_sequences());
  EXPECT_FALSE(task.end_token().has_value());
  EXPECT_EQ(task.encode_prompt("he"), task.encode("he"));
  expect_error<ValueError>([&] { static_cast<void>(task.encode("hex")); },
                           "unknown symbols 'x' at 3");
}

TEST(TextTask, TrainingRowsAreWindowsOfTheTrainingSplit) {
  const TempDir dir;
  const TextTask task(dir.write("t.txt", numbered_text()), 8, 0.25);
  EXPECT_EQ(task.train_size(), 150);
  Batch batch;
  std::map<TokenId, int> begins;
  task.train_batch(1, 0, 14200, batch);
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
    ASSERT_EQ(batch.targets[i], batch.inputs[i] + 1);
    ASSERT_LT(batch.targets[i], 150);
    if (i % 8 == 0) {
      ++begins[batch.inputs[i]];
    } else {
      ASSERT_EQ(batch.inputs[i], batch.inputs[i - 1] + 1);
    }
  }
  // Each of the 142 places, 100 times on average with a standard deviation of 10.
  EXPECT_EQ(begins.size(), 142);
  for (const auto& [begin, count] : begins) EXPECT_NEAR(count, 100, 50) << begin;
}

TEST(TextTask, TrainingRowsArePureFunctionsOfSeedStepAndRow) {
  const TempDir dir;
  const TextTask task(dir.write("t.txt", numbered_text()), 8, 0.25);
  Batch four;
  Batch two;
  task.train_batch(3, 5, 4, four);
  task.train_batch(3, 5, 2, two);
  EXPECT_TRUE(std::equal(two.inputs.begin(), two.inputs.end(), four.inputs.begin()));
  task.train_batch(3, 6, 4, two);
  EXPECT_NE(two.inputs, four.inputs);
  task.train_batch(4, 5, 4, two);
  EXPECT_NE(two.inputs, four.inputs);
}

class TextWindows : public ::testing::TestWithParam<Index> {};

TEST_P(TextWindows, AskForEachHeldOutCharacterOnce) {
  const TempDir dir;
  const TextTask task(dir.write("t.txt", numbered_text()), GetParam(), 0.25);
  EXPECT_EQ(task.held_out_size(), 50);
  std::map<TokenId, int> asked;
  for (Index row = 0; row < task.held_out_rows(); ++row) {
    Batch batch;
    task.held_out_batch(row, 1, batch);
    Index counted = 0;
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
      if (batch.targets[i] == kIgnoreTarget) continue;
      ASSERT_EQ(batch.targets[i], batch.inputs[i] + 1);
      ++asked[batch.targets[i]];
      ++counted;
    }
    ASSERT_GT(counted, 0) << "row " << row;
  }
  std::map<TokenId, int> expected;
  for (TokenId t = 151; t < 200; ++t) expected[t] = 1;
  EXPECT_EQ(asked, expected);
}

// 49 characters are asked for: windows that divide them, that do not, and one that is longer.
INSTANTIATE_TEST_SUITE_P(Lengths, TextWindows, ::testing::Values(1, 7, 8, 48, 49, 50, 149));

TEST(TextTask, SplitsLikeTheUsualRecipe) {
  // nanoGPT: the first int(0.9 n) characters train.
  const TempDir dir;
  std::string text(11155, 'a');
  text.back() = 'b';
  const TextTask task(dir.write("t.txt", text), 64, 0.1);
  EXPECT_EQ(task.train_size(), 10039);
  EXPECT_EQ(task.held_out_size(), 1116);
}

TEST(TextTask, RefusesFilesThatAreNoText) {
  const TempDir dir;
  const auto open = [&](std::string_view bytes) {
    const auto path = dir.write("t.txt", bytes);
    return [path] { TextTask(path, 2); };
  };
  expect_error<IoError>([&] { TextTask(dir / "none.txt"); },
                        "text: there is no file '.*/none.txt'");
  expect_error<IoError>([&] { TextTask(dir.path()); },
                        "text: '.*' is a directory; expected a text");
  for (const char* device : {"/dev/zero", "/dev/null"}) {
    expect_error<IoError>([&] { TextTask(device, 2); },
                          "' is a device or a pipe; expected a text file");
  }
  expect_error<IoError>(open(""), "text: '.*/t.txt' is empty");
  expect_error<IoError>(open("good text \xC0\xAF"),
                        "'.*/t.txt' is not UTF-8: an overlong form at byte 11; convert it");
  expect_error<IoError>(open("grö\xC3"), "the end cuts a character at byte 5");
}

TEST(TextTask, SkipsAByteOrderMark) {
  const TempDir dir;
  const TextTask task(dir.write("t.txt", "\xEF\xBB\xBFhello hello"), 2, 0.5);
  EXPECT_EQ(task.vocabulary(), 5);
  EXPECT_EQ(task.train_size() + task.held_out_size(), 11);
  expect_error<IoError>([&] { TextTask(dir.write("bad.txt", "\xEF\xBB\xBF\xFF"), 2); },
                        "at byte 4;");
  expect_error<IoError>([&] { TextTask(dir.write("empty.txt", "\xEF\xBB\xBF"), 2); }, "is empty");
}

TEST(TextTask, RefusesImpossibleSizes) {
  const TempDir dir;
  const auto path = dir.write("t.txt", std::string(50, 'a'));
  expect_error<ValueError>([&] { TextTask(path, 64, 0.1); },
                           "has 50 characters; with validation 0.1 they split into 45 and 5, but "
                           "length 64 needs at least 65 and 2");
  expect_error<ValueError>([&] { TextTask(path, 2, 0.001); }, "split into 49 and 1, but length 2");
  expect_error<ValueError>([&] { TextTask(path, 0); }, "text: length is 0; it must be from 1");
  for (const double bad : {0.0, 1.0, -0.5, std::nan("")}) {
    expect_error<ValueError>([&] { TextTask(path, 2, bad); },
                             "validation is .*; it must be above 0 and below 1");
  }
  const TextTask task(path, 44, 0.1);
  EXPECT_EQ(task.held_out_rows(), 1);
  Batch batch;
  expect_error<ValueError>([&] { task.held_out_batch(1, 1, batch); },
                           "text: held-out rows 1 to 1 .* rows 0 to 0");
  expect_error<ValueError>([&] { task.train_batch(0, 0, 0, batch); }, "text: a batch of 0 rows");
}

}  // namespace
}  // namespace tapehead
