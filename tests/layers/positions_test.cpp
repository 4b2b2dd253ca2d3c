#include "layers/positions.h"

#include <cmath>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

TEST(Positions, SinusoidalTableMatchesItsFormula) {
  const auto table = sinusoidal_positions<double>(3, 4, 7);
  for (Index p = 0; p < 3; ++p) {
    const auto at = static_cast<double>(7 + p);
    EXPECT_DOUBLE_EQ(table[p * 4], std::sin(at));
    EXPECT_DOUBLE_EQ(table[p * 4 + 1], std::cos(at));
    EXPECT_DOUBLE_EQ(table[p * 4 + 2], std::sin(at / 100.0));  // 10000^(2/4)
    EXPECT_DOUBLE_EQ(table[p * 4 + 3], std::cos(at / 100.0));
  }
}

TEST(Positions, OddWidthEndsWithASine) {
  const auto table = sinusoidal_positions<double>(6, 5);
  EXPECT_DOUBLE_EQ(table[5 * 5 + 4], std::sin(5.0 / std::pow(10000.0, 4.0 / 5.0)));
}

TEST(Positions, SinusoidalWorksBeyondTheExpectedLength) {
  LayerFixture f;
  const SinusoidalPositions<double> positions(4, 6);
  const auto zeros = f.tape.leaf(Tensor<double>({1, 9, 6}));
  testing::expect_bits_equal(positions.forward(zeros).value(),
                             sinusoidal_positions<double>(9, 6).reshaped({1, 9, 6}));
}

TEST(Positions, LearnedAddsTheRowsFromTheFirstPositionOn) {
  LayerFixture f;
  const LearnedPositions<double> positions(f.root / "position", 5, 3);
  const auto zeros = f.tape.leaf(Tensor<double>({1, 2, 3}));
  testing::expect_bits_equal(positions.forward(zeros, 2).value(),
                             f.value("position.weight").view(6, {1, 2, 3}));
}

TEST(Positions, LearnedNamesBothLengthsPastItsTable) {
  LayerFixture f;
  const LearnedPositions<double> positions(f.root / "position", 5, 3);
  const auto x = f.tape.leaf(Tensor<double>({1, 7, 3}));
  testing::expect_error<ShapeError>([&] { positions.forward(x); },
                                    "reaches length 7, but the table 'position.weight' ends at 5");
}

}  // namespace
}  // namespace tapehead
