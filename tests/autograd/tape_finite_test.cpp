#include <cmath>
#include <limits>

#include "autograd/ops/log.h"
#include "autograd/ops/operators.h"
#include "autograd/ops/sqrt.h"
#include "autograd/ops/square.h"
#include "autograd/ops/sum.h"
#include "autograd/tape.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(CheckFinite, NamesTheOpTheLayerAndThePlaceInForward) {
  Tape<double> tape;
  tape.context().check_finite = true;
  const auto x = tape.leaf({{2, 3}, {1, 2, 3, 4, 0, 6}}, true);
  const Tape<double>::Scope scope(tape, "blocks.3.norm");
  testing::expect_error<NonFiniteError>([&] { log(x); },
                                        "check-finite: the value of op 'log' in layer "
                                        "'blocks.3.norm', shape \\(2, 3\\), is -inf at \\(1, 1\\)");
}

TEST(CheckFinite, FindsABadInputAtOnce) {
  Tape<double> tape;
  tape.context().check_finite = true;
  testing::expect_error<NonFiniteError>(
      [&] {
        tape.leaf({{2}, {1, std::nan("")}});
      },
      "the value of op 'leaf' in layer '\\(none\\)', shape \\(2\\), is nan at \\(1\\)");
}

TEST(CheckFinite, NamesTheOpWhoseBackwardFailed) {
  Tape<double> tape;
  tape.context().check_finite = true;
  const auto x = tape.leaf({{3}, {4, 0, 1}}, true);
  Var<double> y;
  {
    const Tape<double>::Scope scope(tape, "head");
    y = sqrt(square(x));
  }
  testing::expect_error<NonFiniteError>([&] { tape.backward(sum(y)); },
                                        "check-finite: the gradient passed on by op 'sqrt' in "
                                        "layer 'head', shape \\(3\\), is inf at \\(1\\)");
}

TEST(CheckFinite, SeesSharesOfGradientsToo) {
  const auto bad_gradient = [](auto deliver) {
    Tape<double> tape;
    tape.context().check_finite = true;
    const auto x = tape.leaf({{2}, {1, 2}}, true);
    const auto y = tape.record_custom("share", Tensor<double>::scalar(0), {x},
                                      [x, deliver](Tape<double>& t, const Tensor<double>&,
                                                   const Tensor<double>&) { deliver(t, x); });
    testing::expect_error<NonFiniteError>(
        [&] { tape.backward(y); },
        "the gradient passed on by op 'share' in layer .*, shape \\(2\\), is inf at \\(1\\)");
  };
  bad_gradient([](Tape<double>& t, const Var<double>& x) {
    t.accumulate(x, [](double* sum) { sum[1] += std::numeric_limits<double>::infinity(); });
  });
  bad_gradient([](Tape<double>& t, const Var<double>& x) {
    const Tensor<double> row({2}, {1, std::numeric_limits<double>::infinity()});
    const double one = 1;
    t.add_grad_product(x, {.m = 1, .n = 2, .k = 1, .a = &one, .lda = 1, .b = row.data(), .ldb = 2});
  });
}

TEST(CheckFinite, LooksAtTheUpstreamGradient) {
  Tape<double> tape;
  tape.context().check_finite = true;
  const auto x = tape.leaf({{2}, {1, 2}}, true);
  testing::expect_error<NonFiniteError>(
      [&] {
        tape.backward(square(x), {{2}, {1, std::nan("")}});
      },
      "the gradient arriving at op 'square' .*, shape \\(2\\), is nan at \\(1\\)");
}

TEST(CheckFinite, IsOffUnlessAskedFor) {
  Tape<double> tape;
  const auto x = tape.leaf({{1}, {0}}, true);
  tape.backward(sum(sqrt(x)));
  EXPECT_TRUE(std::isinf(x.grad().item()));
}

TEST(Scope, EndsWithItsBlock) {
  Tape<double> tape;
  tape.context().check_finite = true;
  const auto x = tape.leaf({{1}, {0}});
  {
    const Tape<double>::Scope outer(tape, "outer");
    { const Tape<double>::Scope inner(tape, "inner"); }
    testing::expect_error<NonFiniteError>([&] { log(x); }, "in layer 'outer'");
  }
  testing::expect_error<NonFiniteError>([&] { log(x); }, "in layer '\\(none\\)'");
}

}  // namespace
}  // namespace tapehead
