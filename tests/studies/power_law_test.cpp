#include "studies/power_law.h"

#include <cmath>
#include <vector>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(PowerLaw, OfExactPowersIsExact) {
  const std::vector<double> x = {1, 2, 4, 8};
  for (const double power : {-1.0, 0.0, 0.5, 1.0, 2.0}) {
    std::vector<double> y;
    for (const double a : x) y.push_back(3 * std::pow(a, power));
    const PowerLaw law = fit_power_law(x, y);
    EXPECT_NEAR(law.exponent.mean, power, 1e-14);
    EXPECT_NEAR(law.exponent.se, 0, 1e-14);
    EXPECT_NEAR(law.factor, 3, 1e-13);
  }
}

TEST(PowerLaw, HasTheErrorOfTheLineThroughTheLogarithms) {
  // Logarithms (0, 0), (1, 1), (2, 0): slope 0, residuals -1/3, 2/3, -1/3, so that the error is
  // sqrt((6/9) / 1 / 2).
  const double e = std::exp(1.0);
  const PowerLaw law = fit_power_law(std::vector{1.0, e, e * e}, std::vector{1.0, e, 1.0});
  EXPECT_NEAR(law.exponent.mean, 0, 1e-15);
  EXPECT_NEAR(law.exponent.se, std::sqrt(1 / 3.0), 1e-15);
  EXPECT_TRUE(std::isnan(fit_power_law(std::vector{1.0, 2.0}, std::vector{1.0, 3.0}).exponent.se));
}

TEST(PowerLaw, RefusesWhatHasNoLogarithm) {
  const std::vector<double> two = {1, 2};
  testing::expect_error<ValueError>(
      [&] {
        fit_power_law(two, std::vector{1.0, 0.0});
      },
      "2 numbers x and 2 y; .*positive");
  testing::expect_error<ValueError>(
      [&] {
        fit_power_law(two, std::vector{1.0, 2.0, 3.0});
      },
      "2 numbers x and 3 y");
  testing::expect_error<ValueError>(
      [&] {
        fit_power_law(std::vector{2.0, 2.0}, two);
      },
      "two different x");
  testing::expect_error<ValueError>(
      [&] {
        fit_power_law(two, std::vector{1.0, std::nan("")});
      },
      "positive");
}

TEST(Crossover, IsWhereTwoPowersMeet) {
  // x^2 and 8 x meet at 8; x^2 and 6 x at 6, between two points.
  const std::vector<double> x = {1, 4, 16, 64};
  std::vector<double> square, eight, six;
  for (const double a : x) {
    square.push_back(a * a);
    eight.push_back(8 * a);
    six.push_back(6 * a);
  }
  EXPECT_NEAR(crossover(x, square, eight).value_or(0), 8, 1e-12);
  EXPECT_NEAR(crossover(x, square, six).value_or(0), 6, 1e-12);
  EXPECT_FALSE(crossover(x, eight, square).has_value());  // begins above
  EXPECT_FALSE(crossover(x, six, eight).has_value());     // stays below
}

}  // namespace
}  // namespace tapehead
