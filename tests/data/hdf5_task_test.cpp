#include "data/hdf5_task.h"

#include <set>

#include "data/task_registry.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using testing::TempDir;

using Tokens = std::vector<std::int64_t>;

/// The parts of a data set; a test changes one of them.
struct Parts {
  std::string format = "tapehead-dataset";
  Index version = 1;
  Index vocabulary = 4;
  std::string layout;
  std::string symbol_style;
  Tokens inputs{0, 1, 2, 1, 2, 3};
  Tokens targets{-100, 2, 3, -100, 3, 0};
  std::vector<Index> shape{2, 3};
  std::vector<Index> targets_shape{2, 3};
  Tokens held_out{3, 3, 3};
  Tokens held_out_targets = held_out;
  std::vector<Index> held_out_shape{1, 3};
  std::vector<std::string> symbols;
};

std::filesystem::path written(const TempDir& dir, const Parts& parts) {
  auto file = Hdf5File::create(dir / "d.h5");
  file.write_attribute("", "format", parts.format);
  file.write_attribute("", "version", parts.version);
  file.write_attribute("", "vocabulary", parts.vocabulary);
  if (!parts.layout.empty()) file.write_attribute("", "layout", parts.layout);
  if (!parts.symbol_style.empty()) file.write_attribute("", "symbol_style", parts.symbol_style);
  file.write<std::int64_t>("train/inputs", parts.inputs, parts.shape);
  file.write<std::int64_t>("train/targets", parts.targets, parts.targets_shape);
  file.write<std::int64_t>("held_out/inputs", parts.held_out, parts.held_out_shape);
  file.write<std::int64_t>("held_out/targets", parts.held_out_targets, parts.held_out_shape);
  if (!parts.symbols.empty()) file.write_strings("symbols", parts.symbols);
  return dir / "d.h5";
}

TEST(Hdf5Task, ReadsTheRowsOfAFile) {
  const TempDir dir;
  const Hdf5Task task(written(dir, {}));
  EXPECT_EQ(task.vocabulary(), 4);
  EXPECT_EQ(task.length(), 3);
  EXPECT_EQ(task.train_rows(), 2);
  EXPECT_EQ(task.symbol(3), "3");
  EXPECT_TRUE(task.counts_sequences());
  Batch batch;
  task.held_out_batch(0, 1, batch);
  EXPECT_THAT(batch.inputs, ElementsAre(3, 3, 3));
  task.train_batch(1, 0, 100, batch);
  std::set<std::vector<TokenId>> rows;
  for (auto i = batch.inputs.begin(), t = batch.targets.begin(); i != batch.inputs.end();
       i += 3, t += 3) {
    std::vector<TokenId> row(i, i + 3);
    row.insert(row.end(), t, t + 3);
    rows.insert(row);
  }
  EXPECT_THAT(rows, ElementsAre(std::vector<TokenId>{0, 1, 2, -100, 2, 3},
                                std::vector<TokenId>{1, 2, 3, -100, 3, 0}));
}

TEST(Hdf5Task, UsesTheSymbolsOfTheFile) {
  const TempDir dir;
  Parts parts;
  parts.symbols = {"the", "cat", "sat", "."};
  const Hdf5Task words(written(dir, parts));
  EXPECT_EQ(words.decode(words.encode("the cat .")), "the cat .");
  parts.symbols = {"a", " ", "\n", "b"};
  parts.symbol_style = "text";
  const Hdf5Task text(written(dir, parts));
  EXPECT_EQ(text.decode(text.encode("a b\n")), "a b\n");
}

TEST(Hdf5Task, SaysWhatIsWrongWithAFile) {
  const TempDir dir;
  const auto expect_refused = [&](auto change, const std::string& regex) {
    Parts parts;
    change(parts);
    const auto path = written(dir, parts);
    expect_error<IoError>([&] { Hdf5Task task(path); }, "d.h5: " + regex);
  };
  expect_refused([](Parts& p) { p.format = "parity"; }, "its format is 'parity'; expected 'tapeh");
  expect_refused([](Parts& p) { p.version = 2; }, "its version is 2; this program reads version 1");
  expect_refused([](Parts& p) { p.vocabulary = 0; }, "its vocabulary is 0; it must be from 1");
  expect_refused([](Parts& p) { p.layout = "odd"; }, "its layout is 'odd'; expected 'causal' or");
  expect_refused([](Parts& p) { p.symbol_style = "odd"; }, "its symbol_style is 'odd'; expected");
  expect_refused([](Parts& p) { p.inputs[4] = 4; },
                 "'train/inputs' is 4 at row 1, position 1; expected 0 to 3$");
  expect_refused([](Parts& p) { p.inputs[0] = -100; },
                 "'train/inputs' is -100 at row 0, position 0");
  expect_refused([](Parts& p) { p.targets[5] = -1; },
                 "'train/targets' is -1 at row 1, position 2; expected 0 to 3 or -100");
  expect_refused([](Parts& p) { p.inputs[0] = 1LL << 40; },
                 "cannot read dataset 'train/inputs': the value at \\(0, 0\\) is 1099511627776");
  expect_refused([](Parts& p) { p.shape = {6}; },
                 "'train/inputs' has shape \\(6\\); expected \\[rows, length\\]");
  expect_refused(
      [](Parts& p) {
        p.held_out = p.held_out_targets = {}, p.held_out_shape = {0, 3};
      },
      "'held_out/inputs' has shape \\(0, 3\\)");
  expect_refused(
      [](Parts& p) {
        p.targets_shape = {3, 2};
      },
      "'train/inputs' has shape \\(2, 3\\), 'train/targets' \\(3, 2\\)");
  expect_refused(
      [](Parts& p) {
        p.held_out = p.held_out_targets = {1, 1}, p.held_out_shape = {1, 2};
      },
      "rows of 'train' have length 3, those of 'held_out' 2");
  expect_refused([](Parts& p) { p.targets.assign(6, -100); },
                 "'train/targets' is -100 everywhere.*expected the token to predict, from 0 to 3");
  expect_refused([](Parts& p) { p.held_out_targets.assign(3, -100); },
                 "'held_out/targets' is -100 everywhere");
  expect_refused([](Parts& p) { p.symbols = {"a"}; },
                 "'symbols' has 1 strings; its vocabulary is 4");
  expect_refused(
      [](Parts& p) {
        p.symbols = {"a", "a", "b", "c"};
      },
      "'symbols' is no vocabulary: .* symbol 1 is 'a', and so is symbol 0");
  Hdf5File::create(dir / "d.h5").close();
  expect_error<IoError>([&] { Hdf5Task task(dir / "d.h5"); }, "it has no attribute 'format'");
}

TEST(Hdf5Task, RefusesRowsOfTheOtherLayout) {
  const TempDir dir;
  Parts parts;
  parts.layout = "causal";
  const auto path = written(dir, parts);
  EXPECT_EQ(Hdf5Task(path, Layout::kCausal).layout(), Layout::kCausal);
  expect_error<ValueError>([&] { Hdf5Task task(path, Layout::kParallel); },
                           "its rows are laid out 'causal', but the model needs 'parallel'");
}

class EveryTaskAsFile : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryTaskAsFile, ComesBackAsWritten) {
  const TempDir dir;
  TaskOptions options;
  options.name = GetParam();
  if (options.name == "text") {
    options.path = dir.write("t.txt", "to be or not to be\nthat is the question, größer").string();
    options.length = 4;
    options.validation = 0.3;
  } else if (options.name == "names") {
    std::string names;
    for (int i = 0; i < 100; ++i) names += "n" + std::to_string(i) + "\n";
    options.path = dir.write("n.txt", names).string();
  } else if (options.name == "dataset") {
    options.path = written(dir, {}).string();
  }
  const auto task = make_task(options);
  write_dataset(*task, dir / "out.h5", 40, 7);
  const Hdf5Task back(dir / "out.h5");

  EXPECT_EQ(back.symbols().symbols(), task->symbols().symbols());
  EXPECT_EQ(back.symbols().style(), task->symbols().style());
  EXPECT_EQ(back.counts_sequences(), task->counts_sequences());
  EXPECT_EQ(back.train_rows(), 40);
  Batch expected;
  Batch actual;
  task->held_out_batch(0, task->held_out_rows(), expected);
  back.held_out_batch(0, back.held_out_rows(), actual);
  EXPECT_EQ(actual.inputs, expected.inputs);
  EXPECT_EQ(actual.targets, expected.targets);
  task->train_batch(7, 0, 40, expected);
  const auto file = Hdf5File::open(dir / "out.h5");
  EXPECT_EQ(file.read<TokenId>("train/inputs").values, expected.inputs);
  EXPECT_EQ(file.read<TokenId>("train/targets").values, expected.targets);
  EXPECT_TRUE(file.info("train/inputs").checksummed);
}

// Rows of an encoder, whose blanks stand in the inputs, are written and read as such.
TEST(Hdf5Task, HoldsParallelRowsButNoSources) {
  const TempDir dir;
  TaskOptions options;
  options.name = "reverse";
  options.layout = Layout::kParallel;
  const auto task = make_task(options);
  write_dataset(*task, dir / "p.h5", 20, 3);
  const Hdf5Task back(dir / "p.h5", Layout::kParallel);
  Batch expected, actual;
  task->held_out_batch(0, 50, expected);
  back.held_out_batch(0, 50, actual);
  EXPECT_EQ(actual.inputs, expected.inputs);
  EXPECT_EQ(actual.targets, expected.targets);
  EXPECT_EQ(back.symbol(actual.inputs.back()), ".");
  expect_error<ValueError>([&] { Hdf5Task causal(dir / "p.h5", Layout::kCausal); },
                           "its rows are laid out 'parallel', but the model needs 'causal'");
  options.layout = Layout::kSourceTarget;
  expect_error<ValueError>(
      [&] { write_dataset(*make_task(options), dir / "s.h5", 20, 3); },
      "reverse: .* one sequence a row, .* two, source and target; .*kind = \"decoder\" or");
  EXPECT_FALSE(std::filesystem::exists(dir / "s.h5"));
}

/// All but regression, whose inputs are no tokens.
std::vector<std::string> tasks_of_tokens() {
  auto names = task_names();
  std::erase(names, "regression");
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryTaskAsFile, ::testing::ValuesIn(tasks_of_tokens()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace tapehead
