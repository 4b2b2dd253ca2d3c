#include "autograd/ops/square.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Square, ValueAndGradient) {
  const auto f = [](auto in) { return square(in[0]); };
  testing::expect_bits_equal(testing::value_of(f, {{{3}, {-3, 0, 0.5}}}), {{3}, {9, 0, 0.25}});
  testing::expect_bits_equal(testing::gradients_of(f, {{{3}, {-3, 0, 0.5}}}, {{3}, {1, 1, 4}})[0],
                             {{3}, {-6, 0, 4}});
}

}  // namespace
}  // namespace tapehead
