#include "autograd/ops/gelu.h"

#include <cmath>
#include <numbers>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kExact = [](auto in) { return gelu(in[0]); };
const auto kTanhForm = [](auto in) { return gelu(in[0], GeluKind::tanh); };

// gelu(x) - gelu(-x) = x for both forms, since Phi(x) + Phi(-x) = 1.
TEST(Gelu, ItsOddPartIsHalfTheIdentity) {
  const Tensor<double> x({5}, {0.1, 0.7, 1.5, 3, 12});
  const Tensor<double> minus_x({5}, {-0.1, -0.7, -1.5, -3, -12});
  const auto check = [&](const auto& form) {
    const auto plus = testing::value_of(form, {x});
    const auto minus = testing::value_of(form, {minus_x});
    for (Index i = 0; i < 5; ++i) EXPECT_NEAR(plus[i] - minus[i], x[i], 1e-14);
  };
  check(kExact);
  check(kTanhForm);
}

// Phi(1) = 0.841344746068542948..., from tables of the standard normal distribution.
TEST(Gelu, ExactFormIsXTimesTheNormalDistribution) {
  constexpr double kPhiOfOne = 0.841344746068542948;
  const double density = std::exp(-0.5) / std::sqrt(2 * std::numbers::pi);
  testing::expect_near(testing::value_of(kExact, {{{3}, {1, -1, 0}}}),
                       {{3}, {kPhiOfOne, kPhiOfOne - 1, 0}}, 1e-15);
  testing::expect_near(testing::gradients_of(kExact, {{{2}, {1, 0}}}, {{2}, {2, 2}})[0],
                       {{2}, {2 * (kPhiOfOne + density), 1}}, 1e-15);
}

// The bound that autograd/kernels/activation.h states, over numbers 0.001 apart: beyond 12, float's
// Phi is 0 or 1.
TEST(Gelu, FloatKeepsItsStatedError) {
  Tensor<float> x({24001});
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i - 12000) * 1e-3F;
  const Tensor<float> y = testing::value_of(kExact, std::vector{x});
  for (Index i = 0; i < x.size(); ++i) {
    const double at = x[i], exact = at * std::erfc(-at / std::numbers::sqrt2) / 2;
    ASSERT_NEAR(y[i], exact, 4e-7 * (1 + std::abs(at))) << "at " << at;
  }
}

TEST(Gelu, TanhFormIsItsFormulaAndNearTheExactOne) {
  const double u = std::sqrt(2 / std::numbers::pi) * (1.5 + 0.044715 * 1.5 * 1.5 * 1.5);
  const Tensor<double> x({1}, {1.5});
  testing::expect_near(testing::value_of(kTanhForm, {x}), {{1}, {0.75 * (1 + std::tanh(u))}},
                       1e-15);
  testing::expect_near(testing::value_of(kTanhForm, {x}), testing::value_of(kExact, {x}), 5e-4);
}

TEST(Gelu, NanStaysVisible) {
  const Tensor<float> nan = Tensor<float>::scalar(std::nanf(""));
  EXPECT_TRUE(std::isnan(testing::value_of<float>(kExact, {nan}).item()));
  EXPECT_TRUE(std::isnan(testing::value_of<float>(kTanhForm, {nan}).item()));
}

}  // namespace
}  // namespace tapehead
