#include "layers/builder.h"

#include <algorithm>
#include <cmath>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

double standard_deviation(const Tensor<double>& x) {
  double sum = 0, squares = 0;
  for (const double v : x.values()) {
    sum += v;
    squares += v * v;
  }
  const auto n = static_cast<double>(x.size());
  return std::sqrt(squares / n - sum / n * (sum / n));
}

TEST(Builder, NamesParametersByTheirPath) {
  LayerFixture f;
  (f.root / "blocks" / 3 / "fc").linear_weight("weight", 2, 4);
  EXPECT_EQ(f.store.parameters().front().name(), "blocks.3.fc.weight");
  EXPECT_EQ(f.store.parameters().front().shape(), (Shape{2, 4}));
}

TEST(Builder, PytorchInitIsUniformWithinOneOverRootOfInputs) {
  LayerFixture f;
  const auto w = f.root.linear_weight("w", 100, 64).value();
  const auto [low, high] = std::minmax_element(w.values().begin(), w.values().end());
  EXPECT_GE(*low, -0.125);
  EXPECT_LE(*high, 0.125);
  // The standard deviation of a uniform distribution of half-width h is h / sqrt(3); with 6400
  // draws its relative standard error is below 1 %.
  EXPECT_NEAR(standard_deviation(w), 0.125 / std::sqrt(3.0), 0.04 * 0.0722);
}

TEST(Builder, NormalInitScalesResidualProjections) {
  InitOptions init;
  init.scheme = InitOptions::Scheme::kNormal;
  init.std = 0.02;
  init.residual_layers = 8;
  LayerFixture f(1, init);
  const auto& plain = f.root.linear_weight("plain", 100, 100);
  const auto& residual = f.root.linear_weight("residual", 100, 100, WeightRole::kResidual);
  const auto& bias = f.root.linear_bias("bias", 100, 100);
  // 10,000 draws: the relative standard error of the deviation is 0.7 %.
  EXPECT_NEAR(standard_deviation(plain.value()), 0.02, 4 * 0.007 * 0.02);
  EXPECT_NEAR(standard_deviation(residual.value()), 0.02 / 4, 4 * 0.007 * 0.005);
  EXPECT_EQ(standard_deviation(bias.value()), 0.0);
}

// The same draws as PyTorch's, but for the factor sqrt(3) of queries and keys.
TEST(Builder, UnitInitMakesQueriesAndKeysLarger) {
  InitOptions init;
  init.scheme = InitOptions::Scheme::kUnitQueriesAndKeys;
  LayerFixture unit(1, init), pytorch(1);
  for (const WeightRole role : {WeightRole::kQueryOrKey, WeightRole::kPlain}) {
    const std::string name = role == WeightRole::kPlain ? "plain" : "query";
    unit.root.linear_weight(name, 30, 64, role);
    pytorch.root.linear_weight(name, 30, 64, role);
  }
  const auto expect_factor = [&](const char* name, double factor) {
    const auto w = unit.value(name), p = pytorch.value(name);
    for (Index i = 0; i < w.size(); ++i) ASSERT_NEAR(w[i], factor * p[i], 1e-15) << name;
  };
  expect_factor("query", std::sqrt(3.0));
  expect_factor("plain", 1);
  // Of 64 inputs with variance 1, an output has variance 64 E w^2 = 1.
  EXPECT_NEAR(64 * std::pow(standard_deviation(unit.value("query")), 2), 1, 0.06);
}

TEST(Builder, SameSeedGivesTheSameBitsAndAnotherSeedOthers) {
  LayerFixture a(5), b(5), c(6);
  const auto wa = a.root.linear_weight("w", 3, 3).value();
  testing::expect_bits_equal(b.root.linear_weight("w", 3, 3).value(), wa);
  EXPECT_NE(c.root.linear_weight("w", 3, 3).value()[0], wa[0]);
}

TEST(Builder, RefusesSizesThatMakeNoSense) {
  LayerFixture f;
  testing::expect_error<ValueError>([&] { (f.root / "fc").linear_weight("weight", 0, 4); },
                                    "fc.weight: 4 inputs and 0 outputs");
  testing::expect_error<ValueError>([&] { f.root.embedding("token", -1, 4); },
                                    "token: a table of -1 rows of width 4");
}

}  // namespace
}  // namespace tapehead
