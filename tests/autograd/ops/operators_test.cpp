#include "autograd/ops/operators.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Operators, AreTheOpsOfTheirNames) {
  const auto f = [](auto in) { return -(in[0] + in[1]) * in[0] / in[1] - 2 * in[0] * 0.5; };
  const auto value = [](double a, double b) { return -(a + b) * a / b - a; };
  testing::expect_near(testing::value_of(f, {{{2}, {3, 5}}, {{2}, {4, -7}}}),
                       {{2}, {value(3, 4), value(5, -7)}}, 1e-15);
}

// f = -a^2 / b - 2 a, so df/da = -2 a / b - 2 and df/db = a^2 / b^2.
TEST(Operators, PassGradientsOn) {
  const auto f = [](auto in) { return -(in[0] + in[1]) * in[0] / in[1] - 2 * in[0] * 0.5; };
  const auto d = testing::gradients_of(f, {{{1}, {3}}, {{1}, {4}}}, {{1}, {1}});
  testing::expect_near(d[0], {{1}, {-3.5}}, 1e-15);
  testing::expect_near(d[1], {{1}, {9.0 / 16}}, 1e-15);
}

}  // namespace
}  // namespace tapehead
