#include "autograd/ops/logsumexp.h"

#include <cmath>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

const auto kLast = [](auto in) { return logsumexp(in[0]); };

TEST(Logsumexp, MatchesItsClosedForm) {
  const Tensor<double> x({2, 2}, {0, 0, std::log(3.0), std::log(5.0)});
  const auto first = [](auto in) { return logsumexp(in[0], 0, true); };
  testing::expect_near(testing::value_of(kLast, {x}), {{2}, {std::log(2.0), std::log(8.0)}}, 1e-15);
  testing::expect_near(testing::value_of(first, {x}), {{1, 2}, {std::log(4.0), std::log(6.0)}},
                       1e-15);
}

TEST(Logsumexp, GradientIsTheSoftmax) {
  const Tensor<double> x({1, 2}, {std::log(3.0), std::log(5.0)});
  testing::expect_near(testing::gradients_of(kLast, {x}, {{1}, {16}})[0], {{1, 2}, {6, 10}}, 1e-14);
}

TEST(Logsumexp, DoesNotOverflow) {
  testing::expect_near(testing::value_of(kLast, {{{2, 2}, {1e4, 1e4, -1e4, -1e4}}}),
                       {{2}, {1e4 + std::log(2.0), -1e4 + std::log(2.0)}}, 1e-15);
}

TEST(Logsumexp, OfOnlyMinusInfinityIsMinusInfinityWithoutGradient) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {-kInf, -kInf, -kInf, 7}}, true);
  const auto y = logsumexp(x);
  testing::expect_bits_equal(y.value(), {{2}, {-kInf, 7}});
  tape.backward(y, {{2}, {3, 5}});
  testing::expect_bits_equal(x.grad(), {{2, 2}, {0, 0, 0, 5}});
}

TEST(Logsumexp, OfNothingIsMinusInfinity) {
  testing::expect_bits_equal(testing::value_of(kLast, {Tensor<double>({2, 0})}),
                             {{2}, {-kInf, -kInf}});
}

TEST(Logsumexp, InfinityAndNanStayVisible) {
  const auto y = testing::value_of(kLast, {{{2, 2}, {kInf, 1, std::nan(""), -kInf}}});
  EXPECT_EQ(y[0], kInf);
  EXPECT_TRUE(std::isnan(y[1]));
}

TEST(Logsumexp, RefusesAMissingAxis) {
  testing::expect_error<ShapeError>([] { testing::value_of(kLast, {Tensor<double>::scalar(1)}); },
                                    "logsumexp: axis -1 does not exist in shape \\(\\)");
}

}  // namespace
}  // namespace tapehead
