#include "studies/walkthrough.h"

#include <cmath>
#include <fstream>
#include <map>

#include "data/hdf5_file.h"
#include "studies/walkthrough_file.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using testing::expect_error;
using testing::TempDir;
using Kind = AttentionScale::Kind;

std::map<std::string, Tensor<double>> steps_of(const WalkthroughInput& input, Kind kind) {
  std::map<std::string, Tensor<double>> steps;
  for (const WalkthroughStep& step : walk_through(input, {kind})) steps[step.name] = step.value;
  return steps;
}

void expect_row(const Tensor<double>& matrix, Index row, const std::vector<double>& expected) {
  constexpr double kRounding = 0.5000001e-6;  // of the six decimals that NumPy printed
  const auto columns = std::ssize(expected);
  ASSERT_EQ(matrix.shape()[1], columns);
  for (Index i = 0; i < columns; ++i) {
    EXPECT_NEAR(matrix[row * columns + i], expected[static_cast<std::size_t>(i)], kRounding) << i;
  }
}

// NumPy's numbers for the code of the teaching document.
TEST(Walkthrough, WorkedExampleIsNumPys) {
  auto steps = steps_of(worked_example(), Kind::kInvSqrt);
  expect_row(steps["Q"], 0, {0.012238, -0.068889, -0.009052, 0.018368});
  expect_row(steps["K"], 1, {-0.094402, 0.014540, -0.106580, 0.013586});
  expect_row(steps["V"], 2, {0.028706, -0.028724, -0.052847, 0.016740});
  expect_row(steps["scores"], 1, {0.001035, 0.004777, -0.000885, 0.001234});
  expect_row(steps["weights"], 0, {0.250049, 0.249787, 0.249998, 0.250167});
  expect_row(steps["output"], 0, {-0.021538, -0.045546, -0.020526, 0.012208});
  steps = steps_of(worked_example(), Kind::kNone);
  expect_row(steps["weights"], 1, {0.249873, 0.250810, 0.249394, 0.249923});
  steps = steps_of(worked_example(), Kind::kSqrt);
  expect_row(steps["weights"], 1, {0.249746, 0.251621, 0.248788, 0.249845});
}

// Two tokens, d_k = 1, by hand: the scores are 0 and log 3 for the first token.
TEST(Walkthrough, OwnMatricesByHand) {
  const double log3 = std::log(3.0);
  const WalkthroughInput input{Tensor<double>({2, 2}, {1, 0, 1, 1}), Tensor<double>({2, 1}, {1, 0}),
                               Tensor<double>({2, 1}, {0, log3}),
                               Tensor<double>({2, 3}, {4, 0, 1, 0, 8, 1})};
  const auto steps = steps_of(input, Kind::kInvSqrt);
  expect_row(steps.at("scores"), 0, {0, log3});
  expect_row(steps.at("weights"), 0, {0.25, 0.75});
  expect_row(steps.at("output"), 0, {4, 6, 1.75});  // of the values (4, 0, 1) and (4, 8, 2)
}

constexpr const char* kText =
    "X\n1, 0\n1,1\n\nW_Q\n1\n0\nW_K \r\n0\n1.5e0\r\nW_V\n4, 0 , 1\n0,8,1\n";

TEST(Walkthrough, ReadsTheSameFromTextAndHdf5) {
  const TempDir dir;
  const WalkthroughInput text = read_walkthrough(dir.write("m.csv", kText));
  testing::expect_bits_equal(text.x, Tensor<double>({2, 2}, {1, 0, 1, 1}));
  testing::expect_bits_equal(text.w_k, Tensor<double>({2, 1}, {0, 1.5}));
  testing::expect_bits_equal(text.w_v, Tensor<double>({2, 3}, {4, 0, 1, 0, 8, 1}));
  {
    auto file = Hdf5File::create(dir / "m.h5");
    for (const auto& [name, m] : std::map<std::string, Tensor<double>>{
             {"X", text.x}, {"W_Q", text.w_q}, {"W_K", text.w_k}, {"W_V", text.w_v}}) {
      file.write<double>(name, m.values(), {m.shape()[0], m.shape()[1]});
    }
    file.close();
  }
  const WalkthroughInput hdf5 = read_walkthrough(dir / "m.h5");
  testing::expect_bits_equal(hdf5.x, text.x);
  testing::expect_bits_equal(hdf5.w_q, text.w_q);
  testing::expect_bits_equal(hdf5.w_k, text.w_k);
  testing::expect_bits_equal(hdf5.w_v, text.w_v);
}

TEST(Walkthrough, RefusesFilesThatAreNotSo) {
  const TempDir dir;
  const auto refuse = [&](const char* text, const char* regex) {
    expect_error<IoError>([&] { read_walkthrough(dir.write("bad.csv", text)); }, regex);
  };
  refuse("1,2\n", "bad.csv:1: '1,2'; expected the name of a matrix first");
  refuse("X\n1,2\n3\n", "bad.csv:3: a row of 1 numbers in X, whose first row has 2");
  refuse("X\n1,two\n", "bad.csv:2: 'two' is no number; expected numbers");
  refuse("X\n1,\n", "bad.csv:2: '' is no number");
  refuse("X\nW_Q\n1\n", "bad.csv:2: X has no rows");
  refuse("X\n1\nX\n2\n", "bad.csv:3: X stands twice");
  refuse("X\n1\nW_Q\n2\nW_V\n1\n", "there is no matrix W_K; expected a line 'W_K'");
  expect_error<IoError>([&] { read_walkthrough(dir / "m.txt"); },
                        "'.*m.txt' ends in '.txt'; expected a file named .*\\.csv");
  expect_error<IoError>([&] { read_walkthrough(dir / "none.csv"); }, "there is no file");
  expect_error<IoError>([&] { read_walkthrough(dir.write("none.h5", "x")); }, "none.h5");
  {
    auto file = Hdf5File::create(dir / "flat.h5");
    file.write<double>("X", std::vector<double>{1, 2}, {2});
    file.close();
  }
  expect_error<IoError>([&] { read_walkthrough(dir / "flat.h5"); },
                        "'X' has 1 dimensions; expected 2");
}

TEST(Walkthrough, AnOverflowIsAnErrorAndNoResult) {
  WalkthroughInput input = worked_example();
  input.x = Tensor<double>({2, 4}, {1e200, 1, 1, 1, 1, 1, 1, 1});
  testing::expect_error<NonFiniteError>([&] { walk_through(input, {}); }, "matmul");
}

TEST(Walkthrough, RefusesMatricesThatDoNotFit) {
  const auto ones = [](Index rows, Index columns) {
    return Tensor<double>::full({rows, columns}, 1);
  };
  const auto refuse = [](const WalkthroughInput& input, const char* regex) {
    expect_error<ShapeError>([&] { walk_through(input, {}); }, regex);
  };
  refuse({ones(3, 2), ones(3, 2), ones(2, 2), ones(2, 2)},
         "X has shape .3, 2., W_Q .3, 2.; W_Q must have as many rows as X has columns, 2");
  refuse({ones(3, 2), ones(2, 2), ones(2, 2), ones(1, 2)}, "W_V must have as many rows");
  refuse({ones(3, 2), ones(2, 2), ones(2, 4), ones(2, 2)},
         "W_Q has shape .2, 2., W_K .2, 4.; they must have equally many columns");
  refuse({Tensor<double>(Shape{0, 2}), ones(2, 2), ones(2, 2), ones(2, 2)}, "X has shape .0, 2.");
  WalkthroughInput input{ones(3, 2), ones(2, 2), ones(2, 2), ones(2, 2)};
  input.w_k[3] = std::nan("");
  expect_error<ValueError>([&] { walk_through(input, {}); },
                           "W_K is nan in row 2, column 2; it must be finite");
  expect_error<ValueError>([&] { walk_through(worked_example(), {Kind::kLearned}); },
                           "the scale must be a fixed one");
}

}  // namespace
}  // namespace tapehead
