#include "layers/dropout.h"

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

Tensor<double> dropped(const Dropout<double>& layer, Index rows, Index first_row,
                       std::uint64_t step) {
  Tape<double> tape;
  tape.context().training = true;
  tape.context().seed = 3;
  tape.context().step = step;
  tape.context().first_row = first_row;
  return layer.forward(tape.leaf(Tensor<double>::full({rows, 5, 7}, 1.0))).value();
}

TEST(DropoutLayer, MaskOfABatchDoesNotDependOnItsShards) {
  LayerFixture f;
  const Dropout<double> layer(f.root / "dropout", 0.5);
  const auto whole = dropped(layer, 6, 0, 9);
  testing::expect_bits_equal(dropped(layer, 2, 0, 9), whole.view(0, {2, 5, 7}));
  testing::expect_bits_equal(dropped(layer, 4, 2, 9), whole.view(2 * 35, {4, 5, 7}));
}

TEST(DropoutLayer, StepsAndLayersHaveMasksOfTheirOwn) {
  LayerFixture f;
  const Dropout<double> one(f.root / "one", 0.5), two(f.root / "two", 0.5);
  const auto count_equal = [](const Tensor<double>& a, const Tensor<double>& b) {
    double n = 0;
    for (Index i = 0; i < a.size(); ++i) n += a[i] == b[i] ? 1.0 : 0.0;
    return n;
  };
  // Independent fair masks of 7000 numbers agree at 3500 +- 42 of them.
  const auto mask = dropped(one, 200, 0, 1);
  EXPECT_NEAR(count_equal(mask, dropped(one, 200, 0, 2)), 3500, 4 * 42);
  EXPECT_NEAR(count_equal(mask, dropped(two, 200, 0, 1)), 3500, 4 * 42);
}

TEST(DropoutLayer, DoesNothingOutsideTraining) {
  LayerFixture f;
  const Dropout<double> layer(f.root / "dropout", 0.5);
  const auto x = f.input({2, 3}, 1);
  EXPECT_TRUE(layer.forward(x).same_as(x));
}

TEST(DropoutLayer, RefusesAProbabilityOutsideItsRange) {
  LayerFixture f;
  for (const double p : {-0.1, 1.0, 1.5}) {
    testing::expect_error<ValueError>([&] { Dropout<double>(f.root / "drop", p); },
                                      "drop: the probability .* must be in \\[0, 1\\)");
  }
}

}  // namespace
}  // namespace tapehead
