#include "autograd/ops/scale.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Scale, MultipliesValueAndGradient) {
  const auto f = [](auto in) { return scale(in[0], -2.5); };
  testing::expect_bits_equal(testing::value_of(f, {{{3}, {0, 1, 4}}}), {{3}, {0, -2.5, -10}});
  testing::expect_bits_equal(testing::gradients_of(f, {{{2}, {7, 7}}}, {{2}, {2, -4}})[0],
                             {{2}, {-5, 10}});
}

}  // namespace
}  // namespace tapehead
