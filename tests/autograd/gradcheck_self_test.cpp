// The checker is checked: it must refuse every kind of wrong backward, and accept the right one.

#include <cmath>
#include <limits>
#include <memory>

#include "autograd/gradcheck.h"
#include "autograd/ops/softmax.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

constexpr Index kRows = 3;
constexpr Index kColumns = 4;

// Softmax of the rows of a matrix, with numbers backward that a test provides:
// rule(y, dy, dx) writes dx.
template <typename Scalar, typename Rule>
Var<Scalar> softmax_with(const Var<Scalar>& x, const Rule& rule) {
  Tensor<Scalar> y(x.shape());
  const Index columns = x.dim(1);
  for (Index r = 0; r < x.dim(0); ++r) {
    Scalar sum = 0;
    for (Index c = 0; c < columns; ++c) sum += std::exp(x.value()[r * columns + c]);
    for (Index c = 0; c < columns; ++c) {
      y[r * columns + c] = std::exp(x.value()[r * columns + c]) / sum;
    }
  }
  return x.tape().record_custom(
      "test_softmax", y, {x},
      [x, rule](Tape<Scalar>& t, const Tensor<Scalar>& out, const Tensor<Scalar>& dy) {
        Tensor<Scalar> dx(out.shape());
        rule(out, dy, dx);
        t.add_grad(x, dx);
      });
}

// dx_rc = factor y_rc (dy_rc - share sum_c y_rc dy_rc): right for factor = share = 1.
struct Rule {
  double factor = 1;
  double share = 1;

  template <typename Scalar>
  void operator()(const Tensor<Scalar>& y, const Tensor<Scalar>& dy, Tensor<Scalar>& dx) const {
    const Index columns = y.dim(1);
    for (Index r = 0; r < y.dim(0); ++r) {
      Scalar mean = 0;
      for (Index i = r * columns; i < (r + 1) * columns; ++i) mean += y[i] * dy[i];
      for (Index i = r * columns; i < (r + 1) * columns; ++i) {
        dx[i] = static_cast<Scalar>(factor) * y[i] * (dy[i] - static_cast<Scalar>(share) * mean);
      }
    }
  }
};

const Rule kRight;

template <typename Build>
GradReport check(const Build& build, const Shape& shape = {kRows, kColumns}) {
  return check_gradients("softmax", grad_case("case", {randn(shape, 1)}, build));
}

template <typename RuleType>
GradReport check_rule(const RuleType& rule) {
  return check([rule](auto in) { return softmax_with(in[0], rule); });
}

void expect_refused(const GradReport& report, const std::string& regex) {
  EXPECT_FALSE(report.passed);
  EXPECT_THAT(report.message, ::testing::ContainsRegex(regex));
  EXPECT_EQ(report.subject, "softmax");
  EXPECT_EQ(report.case_name, "case");
}

constexpr const char* kDiffers =
    "input 0 at \\([0-2], [0-3]\\): backward -?[0-9.e-]+, finite difference -?[0-9.e-]+";

TEST(Gradcheck, AcceptsTheRightBackward) {
  const GradReport report = check_rule(kRight);
  EXPECT_TRUE(report.passed) << report.message;
  EXPECT_EQ(report.message, "");
  EXPECT_GT(report.max_error, 0);
  EXPECT_LT(report.max_error, 1e-8);
}

TEST(Gradcheck, RefusesAFlippedSign) { expect_refused(check_rule(Rule{-1, 1}), kDiffers); }

TEST(Gradcheck, RefusesADoubledGradient) { expect_refused(check_rule(Rule{2, 1}), kDiffers); }

TEST(Gradcheck, RefusesASmallErrorInTheFactor) {
  expect_refused(check_rule(Rule{1 + 1e-5, 1}), kDiffers);
}

TEST(Gradcheck, RefusesADroppedTerm) { expect_refused(check_rule(Rule{1, 0}), kDiffers); }

TEST(Gradcheck, RefusesASumOverTheWrongAxis) {
  const auto over_rows = [](const auto& y, const auto& dy, auto& dx) {
    for (Index i = 0; i < y.size(); ++i) {
      auto mean = 0 * y[i];
      for (Index r = 0; r < kRows; ++r) {
        mean += y[r * kColumns + i % kColumns] * dy[r * kColumns + i % kColumns];
      }
      dx[i] = y[i] * (dy[i] - mean);
    }
  };
  expect_refused(check_rule(over_rows), kDiffers);
}

// The tape adds, so an op cannot overwrite; this one takes away what its other use delivered.
TEST(Gradcheck, RefusesABackwardThatKeepsOnlyOneOfTwoContributions) {
  struct Delivered {
    Var<double> to;
    Tensor<double> dx;
  };
  GradCase overwriting = grad_case("case", {randn({kRows, kColumns}, 1)},
                                   [](auto in) { return softmax_with(in[0], kRight); });
  overwriting.build = [last = std::make_shared<Delivered>()](std::span<const Var<double>> in) {
    const Var<double> x = in[0];
    return softmax_with(x, [x, last](const auto& y, const auto& dy, auto& dx) {
      kRight(y, dy, dx);
      const Tensor<double> right = dx.clone();
      if (last->to.same_as(x)) {
        for (Index i = 0; i < dx.size(); ++i) dx[i] -= last->dx[i];
      }
      *last = {x, right};
    });
  };
  expect_refused(check_gradients("softmax", overwriting), kDiffers);
}

TEST(Gradcheck, RefusesAGradientLeftAtZero) {
  expect_refused(check_rule([](const auto&, const auto&, auto&) {}),
                 "input 0 at .*: backward 0, finite difference");
  expect_refused(check([](auto in) {
                   const auto x = in[0];
                   return x.tape().record_custom("test_copy", x.value(), {x},
                                                 [](auto&, const auto&, const auto&) {});
                 }),
                 "input 0 at .*: backward 0, finite difference");
}

TEST(Gradcheck, RefusesNan) {
  const GradReport report = check_rule([](const auto& y, const auto& dy, auto& dx) {
    kRight(y, dy, dx);
    dx[5] *= std::numeric_limits<float>::quiet_NaN();
  });
  expect_refused(report, "input 0 at \\(1, 1\\): backward -?nan");
  EXPECT_TRUE(std::isnan(report.max_error));
  expect_refused(check([](auto in) {
                   auto y = softmax_with(in[0], kRight);
                   auto value = y.value();
                   value[5] *= std::numeric_limits<float>::infinity();
                   return y;
                 }),
                 "the result is inf at \\(1, 1\\)");
}

TEST(Gradcheck, RefusesAnInputThatForwardWritesTo) {
  expect_refused(check([](auto in) {
                   auto x = in[0].value();
                   x[2] += 1e-12F;
                   return softmax_with(in[0], kRight);
                 }),
                 "input 0 was written to at \\(0, 2\\)");
}

TEST(Gradcheck, RefusesAnInputThatBackwardWritesTo) {
  expect_refused(check([](auto in) {
                   const auto x = in[0];
                   return softmax_with(x, [x](const auto& y, const auto& dy, auto& dx) {
                     kRight(y, dy, dx);
                     auto written = x.value();
                     written[7] = 0;
                   });
                 }),
                 "input 0 was written to at \\(1, 3\\)");
}

TEST(Gradcheck, RefusesACaseThatShowsNothing) {
  const auto build = [](auto in) { return softmax_with(in[0], kRight); };
  expect_refused(check(build, {kRows, 1}), "numeric gradient is nowhere above .*shows nothing");
  const GradReport marked = check_gradients(
      "softmax", grad_case("case", {randn({kRows, 1}, 1)}, build).expecting_zero_gradient());
  EXPECT_TRUE(marked.passed) << marked.message;
}

// A wrong backward must not hide behind the mark either.
TEST(Gradcheck, RefusesAWrongBackwardInACaseWithoutGradient) {
  const auto build = [](auto in) { return softmax_with(in[0], Rule{1, 0}); };
  const GradReport report = check_gradients(
      "softmax", grad_case("case", {randn({kRows, 1}, 1)}, build).expecting_zero_gradient());
  expect_refused(report, "input 0 at \\(0, 0\\)");
}

TEST(Gradcheck, RefusesABackwardThatIsNotLinear) {
  expect_refused(check_rule([](const auto& y, const auto& dy, auto& dx) {
                   kRight(y, dy, dx);
                   for (Index i = 0; i < dx.size(); ++i) dx[i] += 1e-10F * dy[i] * dy[i];
                 }),
                 "not linear in dy: input 0 at");
}

TEST(Gradcheck, RefusesAGradientThatChangesWhenTheOtherInputNeedsNone) {
  const auto product = [](auto in) {
    const auto a = in[0];
    const auto b = in[1];
    auto y = a.value().clone();
    y[0] *= b.value()[0];
    return a.tape().record_custom("test_product", y, {a, b},
                                  [a, b](auto& t, const auto&, const auto& dy) {
                                    auto da = dy.clone();
                                    auto db = dy.clone();
                                    da[0] *= b.requires_grad() ? b.value()[0] : 0;
                                    db[0] *= a.value()[0];
                                    t.add_grad(a, da);
                                    t.add_grad(b, db);
                                  });
  };
  expect_refused(check_gradients("softmax", grad_case("case",
                                                      {Tensor<double>::full(Shape{1}, 2),
                                                       Tensor<double>::full(Shape{1}, 3)},
                                                      product)),
                 "the gradient of input 0 changes when input 1 requires none");
}

TEST(Gradcheck, RefusesWhatDependsOnTheNumberOfThreads) {
  expect_refused(check([](auto in) {
                   auto y = softmax_with(in[0], kRight);
                   auto value = y.value();
                   value[0] += 1e-12F * static_cast<float>(in[0].tape().threads());
                   return y;
                 }),
                 "the result depends on the number of threads");
  expect_refused(check([](auto in) {
                   const auto factor = 1 + 1e-12 * in[0].tape().threads();
                   return softmax_with(in[0], Rule{factor, 1});
                 }),
                 "the gradient of input 0 depends on the number of threads");
}

TEST(Gradcheck, RefusesAFloatResultThatIsOff) {
  GradCase off = grad_case("case", {randn({kRows, kColumns}, 1)},
                           [](auto in) { return softmax_with(in[0], kRight); });
  off.build_float = [](std::span<const Var<float>> in) {
    auto y = softmax_with(in[0], kRight);
    auto value = y.value();
    value[6] += 1e-3F;
    return y;
  };
  expect_refused(check_gradients("softmax", off),
                 "at \\(1, 2\\): float 0\\.[0-9]+, double 0\\.[0-9]+, error 0.001 > 1e-05");
  off.build_float = [](std::span<const Var<float>> in) {
    return in[0].tape().leaf(Tensor<float>({kColumns, kRows}));
  };
  expect_refused(check_gradients("softmax", off), "the float result has another shape");
}

TEST(Gradcheck, RefusesACaseThatDoesNotRecordTheOp) {
  const GradCase custom = grad_case("case", {randn({kRows, kColumns}, 1)},
                                    [](auto in) { return softmax_with(in[0], kRight); });
  expect_refused(check_gradients("softmax", custom, Op::softmax),
                 "the case records no 'softmax' on the tape");
  const GradCase recorded =
      grad_case("case", {randn({kRows, kColumns}, 1)}, [](auto in) { return softmax(in[0]); });
  EXPECT_TRUE(check_gradients("softmax", recorded, Op::softmax).passed);
}

TEST(Gradcheck, LeavesTheInputsOfTheCaseAsTheyWere) {
  const Tensor<double> x = randn({kRows, kColumns}, 1);
  const Tensor<double> before = x.clone();
  check_gradients("softmax", grad_case("case", {x}, [](auto in) { return softmax(in[0]); }));
  testing::expect_bits_equal(x, before);
}

TEST(Inputs, AreTheSameForTheSameSeedAndKeepAwayFromKinks) {
  testing::expect_bits_equal(randn({4}, 7), randn({4}, 7));
  EXPECT_NE(randn({4}, 7)[0], randn({4}, 8)[0]);
  const Tensor<double> uniform_values = uniform({100}, 1, 2.0, 3.0);
  for (const double v : uniform_values.values()) {
    EXPECT_GE(v, 2);
    EXPECT_LT(v, 3);
  }
  testing::expect_bits_equal(keep_away_from(1, 0.5, {{5}, {0, 0.9, 1, 1.2, 2}}),
                             {{5}, {0, 0.5, 1.5, 1.5, 2}});
}

}  // namespace
}  // namespace tapehead
