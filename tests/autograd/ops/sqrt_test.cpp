#include "autograd/ops/sqrt.h"

#include <cmath>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

const auto kSqrt = [](auto in) { return sqrt(in[0]); };

TEST(Sqrt, RootsAndDerivatives) {
  testing::expect_bits_equal(testing::value_of(kSqrt, {{{4}, {0, 0.25, 4, 9}}}),
                             {{4}, {0, 0.5, 2, 3}});
  testing::expect_bits_equal(testing::gradients_of(kSqrt, {{{2}, {0.25, 4}}}, {{2}, {3, 8}})[0],
                             {{2}, {3, 2}});
}

TEST(Sqrt, OutsideItsDomainIsWhatIeeeSays) {
  const auto y = testing::value_of(kSqrt, {{{2}, {-1, kInf}}});
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], kInf);
}

TEST(Sqrt, DerivativeAtZeroIsInfinite) {
  EXPECT_EQ(testing::gradients_of(kSqrt, {{{1}, {0}}}, {{1}, {1}})[0].item(), kInf);
}

}  // namespace
}  // namespace tapehead
