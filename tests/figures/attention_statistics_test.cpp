#include "figures/attention_statistics.h"

#include <array>
#include <cmath>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

std::span<const double> numbers(const std::initializer_list<double>& x) {
  return {x.begin(), x.size()};
}

TEST(AttentionStatistics, EntropyOfEqualWeightsIsTheLogarithmOfTheirNumber) {
  const std::array<double, 4> equal = {0.25, 0.25, 0.25, 0.25};
  EXPECT_NEAR(entropy<double>(equal), std::log(4.0), 1e-15);
  const std::array<double, 3> hard = {0, 1, 0};
  EXPECT_EQ(entropy<double>(hard), 0);
  const std::array<double, 2> two = {0.25, 0.75};
  EXPECT_NEAR(entropy<double>(two), 0.25 * std::log(4.0) + 0.75 * std::log(4.0 / 3), 1e-15);
}

TEST(AttentionStatistics, LargestNormAndSquares) {
  const std::array<double, 3> x = {-5, 3, -4};
  EXPECT_EQ(largest<double>(x), 3);
  EXPECT_TRUE(std::isnan(largest<double>(std::span<const double>())));
  EXPECT_NEAR(euclidean_norm<double>(x), std::sqrt(50.0), 1e-15);
  EXPECT_EQ(sum_of_squares<double>(x), 50);
}

// The matrix itself.
double norm_of_the_matrix(std::span<const double> p) {
  double squares = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      squares += std::pow((i == j ? p[i] : 0) - p[i] * p[j], 2);
    }
  }
  return std::sqrt(squares);
}

TEST(AttentionStatistics, JacobianNormIsThatOfTheMatrix) {
  for (const auto& p : {std::array<double, 3>{0.2, 0.5, 0.3}, std::array<double, 3>{0, 1, 0},
                        std::array<double, 3>{0.9, 0.05, 0.05}}) {
    EXPECT_NEAR(softmax_jacobian_norm<double>(p), norm_of_the_matrix(p), 1e-15);
  }
  // Two equal weights attain the bound 1/2.
  EXPECT_NEAR(softmax_jacobian_norm<double>(numbers({0.5, 0.5, 0})), 0.5, 1e-15);
}

// Weights (1 - e, e) have the norm 2 e (1 - e), also where 1 - e rounds to 1.
TEST(AttentionStatistics, JacobianNormKeepsItsDigitsUnderSaturation) {
  for (const double e : {1e-3, 1e-9, 1e-20, 1e-100}) {
    const double norm = softmax_jacobian_norm<double>(numbers({1 - e, e}));
    EXPECT_NEAR(norm / (2 * e * (1 - e)), 1, 1e-12) << e;
  }
}

}  // namespace
}  // namespace tapehead
