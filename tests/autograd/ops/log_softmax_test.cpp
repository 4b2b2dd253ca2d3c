#include "autograd/ops/log_softmax.h"

#include <cmath>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

Tensor<double> log_softmax_of(const Tensor<double>& x, int axis = -1) {
  Tape<double> tape;
  return log_softmax(tape.leaf(x), axis).value();
}

TEST(LogSoftmax, MatchesItsClosedForm) {
  const double a = std::log(4.0), b = std::log(4.0 / 3);
  const double x = std::log(3.0);
  testing::expect_near(log_softmax_of({{2, 2}, {0, x, x, 0}}), {{2, 2}, {-a, -b, -b, -a}}, 1e-15);
  testing::expect_near(log_softmax_of({{2, 2}, {0, x, x, 0}}, 0), {{2, 2}, {-a, -b, -b, -a}},
                       1e-15);
}

TEST(LogSoftmax, IsExactWhereTheSoftmaxUnderflows) {
  testing::expect_near(log_softmax_of({{3}, {0, -2000, -3000}}), {{3}, {0, -2000, -3000}}, 0);
}

TEST(LogSoftmax, RowOfMinusInfinityStaysAndHasNoGradient) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {-kInf, -kInf, 0, -kInf}}, true);
  const auto y = log_softmax(x);
  testing::expect_bits_equal(y.value(), {{2, 2}, {-kInf, -kInf, 0, -kInf}});
  tape.backward(y, {{2, 2}, {1, 2, 3, 0}});
  testing::expect_near(x.grad(), {{2, 2}, {0, 0, 0, 0}}, 0);
}

TEST(LogSoftmax, NanStaysVisible) {
  EXPECT_TRUE(std::isnan(log_softmax_of({{2}, {std::nan(""), -kInf}})[0]));
  EXPECT_TRUE(std::isnan(log_softmax_of({{2}, {std::nan(""), 1.0}})[1]));
}

TEST(LogSoftmax, RefusesAMissingAxis) {
  Tape<double> tape;
  testing::expect_error<ShapeError>(
      [&] {
        log_softmax(tape.leaf(Tensor<double>({2, 3})), -3);
      },
      "log_softmax: axis -3 .* \\(2, 3\\)");
}

}  // namespace
}  // namespace tapehead
