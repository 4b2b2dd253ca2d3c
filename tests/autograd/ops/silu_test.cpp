#include "autograd/ops/silu.h"

#include <cmath>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kSilu = [](auto in) { return silu(in[0]); };

TEST(Silu, ValueAndGradient) {
  const double s = 1 / (1 + std::exp(-1.5));
  testing::expect_near(testing::value_of(kSilu, {{{3}, {0, 1.5, -1.5}}}),
                       {{3}, {0, 1.5 * s, -1.5 * (1 - s)}}, 1e-15);
  testing::expect_near(testing::gradients_of(kSilu, {{{2}, {0, 1.5}}}, {{2}, {4, 2}})[0],
                       {{2}, {2, 2 * (s + 1.5 * s * (1 - s))}}, 1e-15);
}

TEST(Silu, IsTheIdentityOrZeroFarOut) {
  testing::expect_near(testing::value_of(kSilu, {{{2}, {1e4, -1e4}}}), {{2}, {1e4, 0}}, 1e-15);
  testing::expect_near(testing::gradients_of(kSilu, {{{2}, {1e4, -1e4}}}, {{2}, {1, 1}})[0],
                       {{2}, {1, 0}}, 1e-15);
}

}  // namespace
}  // namespace tapehead
