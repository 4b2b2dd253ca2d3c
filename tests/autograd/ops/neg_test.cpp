#include "autograd/ops/neg.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Neg, NegatesValueAndGradient) {
  const auto f = [](auto in) { return neg(in[0]); };
  testing::expect_bits_equal(testing::value_of(f, {{{3}, {0, -1, 2.5}}}), {{3}, {0, 1, -2.5}});
  testing::expect_bits_equal(testing::gradients_of(f, {{{2}, {7, 7}}}, {{2}, {2, -4}})[0],
                             {{2}, {-2, 4}});
}

}  // namespace
}  // namespace tapehead
