#include "autograd/kernels/reduce.h"

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

// Every length around one, two and three rounds of the lanes.
constexpr Index kLongest = 50;

TEST(Reduce, SumsMatchTheDefinitionForEveryLength) {
  Random random(1);
  std::vector<double> a(kLongest), b(kLongest);
  for (double& v : a) v = random.normal();
  for (double& v : b) v = random.normal();
  double sum = 0, dot = 0, centered = 0, squares = 0;
  for (Index n = 0; n <= kLongest; ++n) {
    EXPECT_NEAR(kernels::sum(a.data(), n), sum, 1e-13) << n;
    EXPECT_NEAR(kernels::dot(a.data(), b.data(), n), dot, 1e-13) << n;
    EXPECT_NEAR(kernels::dot_centered(a.data(), b.data(), 0.5, n), centered, 1e-13) << n;
    EXPECT_NEAR(kernels::sum_squares_centered(a.data(), 0.5, n), squares, 1e-12) << n;
    if (n == kLongest) break;
    const auto i = static_cast<std::size_t>(n);
    sum += a[i];
    dot += a[i] * b[i];
    centered += a[i] * (b[i] - 0.5);
    squares += (a[i] - 0.5) * (a[i] - 0.5);
  }
}

TEST(Reduce, MaxFindsTheLargestWhereverItStands) {
  for (Index n = 1; n <= kLongest; ++n) {
    for (Index at = 0; at < n; ++at) {
      std::vector<float> x(static_cast<std::size_t>(n), -3.0f);
      x[static_cast<std::size_t>(at)] = -2.0f;
      ASSERT_EQ(kernels::max(x.data(), n), -2.0f) << at << " of " << n;
    }
  }
  EXPECT_EQ(kernels::max<float>(nullptr, 0), -std::numeric_limits<float>::infinity());
}

TEST(Reduce, BitsDoNotDependOnWhereTheRowLies) {
  Random random(2);
  std::vector<float> row(37);
  for (float& v : row) v = static_cast<float>(random.normal());
  std::vector<float> memory(64);
  for (std::size_t shift = 0; shift < 16; ++shift) {
    std::copy(row.begin(), row.end(), memory.begin() + static_cast<std::ptrdiff_t>(shift));
    ASSERT_EQ(kernels::sum(memory.data() + shift, 37), kernels::sum(row.data(), 37));
    ASSERT_EQ(kernels::dot(memory.data() + shift, memory.data() + shift, 37),
              kernels::dot(row.data(), row.data(), 37));
  }
}

}  // namespace
}  // namespace tapehead
