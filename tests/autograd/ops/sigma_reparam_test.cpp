#include "autograd/ops/sigma_reparam.h"

#include <cmath>

#include "autograd/gradcheck.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::expect_error;
using testing::expect_near;

struct ReparamPass {
  Tensor<double> y, dw, d_gamma;
};

ReparamPass reparam(const Tensor<double>& weight, double gamma, const Tensor<double>& dy) {
  Tape<double> tape;
  const auto w = tape.leaf(weight, true), g = tape.leaf(Tensor<double>::scalar(gamma), true);
  const auto y = sigma_reparam(w, g);
  ReparamPass pass{y.value(), {}, {}};
  tape.backward(y, dy);
  pass.dw = w.grad();
  pass.d_gamma = g.grad();
  return pass;
}

TEST(SigmaReparam, DividesByTheLargestSingularValue) {
  // [[3, 0], [4, 5]] has singular values sqrt(45) and sqrt(5).
  const Tensor<double> w({2, 2}, {3, 0, 4, 5});
  const double f = 2 / std::sqrt(45.0);
  const auto pass = reparam(w, 2, randn({2, 2}, 1));
  expect_near(pass.y, {{2, 2}, {3 * f, 0, 4 * f, 5 * f}}, 1e-14);
}

TEST(SigmaReparam, GradientIsThatOfTheSingularVectors) {
  // The same matrix: v = (1, 1) / sqrt(2), u = W v / sigma = (1, 3) / sqrt(10).
  const Tensor<double> w({2, 2}, {3, 0, 4, 5}), dy = randn({2, 2}, 1);
  const double sigma = std::sqrt(45.0);
  const double u[] = {1 / std::sqrt(10.0), 3 / std::sqrt(10.0)};
  double inner = 0;
  for (Index i = 0; i < 4; ++i) inner += dy[i] * w[i];
  Tensor<double> dw({2, 2});
  for (Index i = 0; i < 4; ++i) {
    dw[i] = 2 / sigma * (dy[i] - inner / sigma * u[i / 2] / std::sqrt(2.0));
  }
  const auto pass = reparam(w, 2, dy);
  expect_near(pass.dw, dw, 1e-10);
  expect_near(pass.d_gamma, Tensor<double>::scalar(inner / sigma), 1e-13);
}

TEST(SigmaReparam, TheSizeOfTheWeightDoesNotMatter) {
  const auto w = randn({5, 3}, 1);
  Tensor<double> larger = w.clone();
  for (Index i = 0; i < w.size(); ++i) larger[i] *= 100;
  const auto dy = randn({5, 3}, 2);
  expect_near(reparam(larger, 1, dy).y, reparam(w, 1, dy).y, 1e-13);
}

TEST(SigmaReparam, ZerosStayZeros) {
  Tape<double> tape;
  const auto y = sigma_reparam(tape.leaf(Tensor<double>({2, 3}), true),
                               tape.leaf(Tensor<double>::scalar(1), true));
  expect_bits_equal(y.value(), Tensor<double>({2, 3}));
  EXPECT_FALSE(y.requires_grad());
}

TEST(SigmaReparam, ErrorsNameTheShapes) {
  Tape<double> tape;
  const auto w = tape.leaf(randn({2, 3}, 1)), g = tape.leaf(Tensor<double>::scalar(1));
  expect_error<ShapeError>([&] { sigma_reparam(tape.leaf(randn({2}, 1)), g); }, "\\(2\\)");
  expect_error<ShapeError>([&] { sigma_reparam(w, tape.leaf(randn({1}, 1))); }, "\\(1\\)");
}

}  // namespace
}  // namespace tapehead
