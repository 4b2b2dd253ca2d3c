#include "autograd/ops/rms_norm.h"

#include <cmath>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(RmsNorm, MatchesItsClosedForm) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {3, 4, 0, 0}});  // mean squares 12.5 and 0
  const auto w = tape.leaf({{2}, {1, 10}});
  const double h = 1 / std::sqrt(12.5 + 0.5);
  testing::expect_near(rms_norm(x, w, 0.5).value(), {{2, 2}, {3 * h, 40 * h, 0, 0}}, 1e-15);
}

TEST(RmsNorm, ScalingARowChangesNothing) {
  Tape<double> tape;
  const auto w = tape.leaf({{3}, {1, 2, 3}});
  const auto a = rms_norm(tape.leaf({{1, 3}, {1, -2, 5}}), w, 0.0);
  const auto b = rms_norm(tape.leaf({{1, 3}, {100, -200, 500}}), w, 0.0);
  testing::expect_near(a.value(), b.value(), 1e-15);
}

TEST(RmsNorm, RefusesShapesThatDoNotFitAndANegativeEps) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3}));
  const auto w3 = tape.leaf(Tensor<double>({3}));
  const auto w4 = tape.leaf(Tensor<double>({4}));
  testing::expect_error<ShapeError>([&] { rms_norm(x, w4); }, "rms_norm: weight .*4.*3");
  testing::expect_error<ShapeError>([&] { rms_norm(tape.leaf(Tensor<double>::scalar(1)), w3); },
                                    "rms_norm: x .*\\(\\).*rank 1");
  testing::expect_error<ValueError>([&] { rms_norm(x, w3, -1); }, "rms_norm: eps is -1");
}

}  // namespace
}  // namespace tapehead
