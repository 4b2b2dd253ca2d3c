#include "autograd/ops/softmax.h"

#include <cmath>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

Tensor<double> softmax_of(const Tensor<double>& x, int axis = -1) {
  Tape<double> tape;
  return softmax(tape.leaf(x), axis).value();
}

TEST(Softmax, MatchesItsClosedForm) {
  const double e = std::exp(1.0);
  testing::expect_near(softmax_of({{2, 2}, {0, 1, 3, 3}}),
                       {{2, 2}, {1 / (1 + e), e / (1 + e), 0.5, 0.5}}, 1e-15);
}

TEST(Softmax, DoesNotOverflow) {
  testing::expect_near(softmax_of({{2}, {1e4, 1e4}}), {{2}, {0.5, 0.5}}, 1e-15);
}

TEST(Softmax, RowOfMinusInfinityGivesZerosAndNoGradient) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {-kInf, -kInf, 0, 0}}, true);
  const auto y = softmax(x);
  testing::expect_bits_equal(y.value(), {{2, 2}, {0, 0, 0.5, 0.5}});
  tape.backward(y, {{2, 2}, {1, 2, 0, 1}});
  testing::expect_near(x.grad(), {{2, 2}, {0, 0, -0.25, 0.25}}, 1e-15);
}

TEST(Softmax, NanStaysVisible) {
  EXPECT_TRUE(std::isnan(softmax_of({{2}, {std::nan(""), -kInf}})[0]));
  EXPECT_TRUE(std::isnan(softmax_of({{2}, {std::nan(""), 1.0}})[1]));
}

TEST(Softmax, RefusesAScalarAndAMissingAxis) {
  Tape<double> tape;
  testing::expect_error<ShapeError>([&] { softmax(tape.leaf(Tensor<double>::scalar(1))); },
                                    "softmax: axis -1 does not exist in shape \\(\\)");
  testing::expect_error<ShapeError>(
      [&] {
        softmax(tape.leaf(Tensor<double>({2, 3})), 2);
      },
      "softmax: axis 2 .* \\(2, 3\\)");
}

}  // namespace
}  // namespace tapehead
