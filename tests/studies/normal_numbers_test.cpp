#include "studies/normal_numbers.h"

#include <cmath>
#include <vector>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

std::vector<double> draw(std::size_t count, std::uint64_t seed = 1, std::uint32_t stream = 0,
                         std::uint64_t position = 0) {
  std::vector<double> x(count);
  NormalNumbers(seed, stream, position).fill(x);
  return x;
}

// Moments of N(0, 1) and shares within 1 and 2, each within four standard errors.
TEST(NormalNumbers, AreStandardNormal) {
  const std::size_t n = 200'000;
  double sums[4] = {}, within_one = 0, within_two = 0;
  for (const double x : draw(n)) {
    double power = 1;
    for (double& sum : sums) sum += power *= x;
    within_one += std::abs(x) < 1 ? 1 : 0;
    within_two += std::abs(x) < 2 ? 1 : 0;
  }
  const auto count = static_cast<double>(n);
  const double moments[4] = {0, 1, 0, 3}, variances[4] = {1, 2, 15, 96};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(sums[i] / count, moments[i], 4 * std::sqrt(variances[i] / count)) << i;
  }
  for (const auto& [share, p] : {std::pair{within_one, std::erf(std::sqrt(0.5))},
                                 std::pair{within_two, std::erf(std::sqrt(2.0))}}) {
    EXPECT_NEAR(share / count, p, 4 * std::sqrt(p * (1 - p) / count));
  }
}

// The two numbers of a pair lie apart in the stream; all lags must be uncorrelated.
TEST(NormalNumbers, AreNotCorrelated) {
  const std::vector<double> x = draw(100'000);
  for (const std::size_t lag :
       {std::size_t{1}, std::size_t{2}, std::size_t{512}, std::size_t{1024}}) {
    double sum = 0, squares = 0;
    for (std::size_t i = lag; i < x.size(); ++i) {
      sum += x[i] * x[i - lag];
      squares += (x[i] * x[i] - 1) * (x[i - lag] * x[i - lag] - 1);
    }
    const auto count = static_cast<double>(x.size() - lag);
    EXPECT_NEAR(sum / count, 0, 4 / std::sqrt(count)) << lag;
    EXPECT_NEAR(squares / count, 0, 4 * 2 / std::sqrt(count)) << lag;
  }
}

TEST(NormalNumbers, AreNamedBySeedStreamAndPosition) {
  const std::vector<double> x = draw(5);
  EXPECT_EQ(draw(5), x);
  EXPECT_NE(draw(5, 2), x);
  EXPECT_NE(draw(5, 1, 1), x);
  EXPECT_NE(draw(5, 1, 0, 1), x);
}

TEST(NormalNumbers, DoNotDependOnHowManyAreTakenAtATime) {
  NormalNumbers numbers(1);
  std::vector<double> parts(3000);
  for (std::size_t i = 0; i < parts.size(); i += 7) {
    numbers.fill(std::span(parts).subspan(i, std::min<std::size_t>(7, parts.size() - i)));
  }
  EXPECT_EQ(parts, draw(3000));
}

}  // namespace
}  // namespace tapehead
