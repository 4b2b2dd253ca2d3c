#include "autograd/ops/rope.h"

#include <cmath>
#include <complex>

#include "autograd/gradcheck.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_error;
using testing::expect_near;

Tensor<double> rotated(const Tensor<double>& x, Index first, RopePairs pairs) {
  Tape<double> tape;
  return rope(tape.leaf(x), rope_table<double>(x.dim(1), x.dim(2), first), pairs).value();
}

TEST(Rope, MultipliesPairsAsComplexNumbers) {
  // (a + ib) e^(i p theta), theta = 10000^(-2i/d), at position 7.
  const Tensor<double> x({1, 1, 4}, {1, 2, 3, 4});
  const double slow = std::pow(10000.0, -0.5);
  const auto turned = [](double a, double b, double angle) {
    return std::complex<double>(a, b) * std::polar(1.0, angle);
  };
  const auto n0 = turned(1, 2, 7), n1 = turned(3, 4, 7 * slow);
  expect_near(rotated(x, 7, RopePairs::kNeighbours),
              {{1, 1, 4}, {n0.real(), n0.imag(), n1.real(), n1.imag()}}, 1e-14);
  const auto h0 = turned(1, 3, 7), h1 = turned(2, 4, 7 * slow);
  expect_near(rotated(x, 7, RopePairs::kHalves),
              {{1, 1, 4}, {h0.real(), h1.real(), h0.imag(), h1.imag()}}, 1e-14);
}

TEST(Rope, DotProductsDependOnTheDifferenceOfPositionsAlone) {
  const auto q = randn({1, 1, 8}, 1), k = randn({1, 1, 8}, 2);
  const auto score = [&](Index query, Index key, RopePairs pairs) {
    const auto rq = rotated(q, query, pairs), rk = rotated(k, key, pairs);
    double sum = 0;
    for (Index c = 0; c < 8; ++c) sum += rq[c] * rk[c];
    return sum;
  };
  for (const RopePairs pairs : {RopePairs::kNeighbours, RopePairs::kHalves}) {
    for (const Index shift : {1, 17, 4096}) {
      EXPECT_NEAR(score(9 + shift, 4 + shift, pairs), score(9, 4, pairs), 1e-11);
    }
    EXPECT_GT(std::abs(score(9, 5, pairs) - score(9, 4, pairs)), 1e-3);
  }
}

TEST(Rope, RotatesEveryHeadAlikeAndKeepsLengths) {
  Tape<double> tape;
  const auto x = randn({2, 3, 12}, 1);
  const auto table = rope_table<double>(3, 4, 5);
  const auto y = rope(tape.leaf(x), table).value();
  for (Index row = 0; row < 6; ++row) {
    for (Index head = 0; head < 3; ++head) {
      Tensor<double> one({1, 1, 4});
      double before = 0, after = 0;
      for (Index c = 0; c < 4; ++c) {
        one[c] = x[row * 12 + head * 4 + c];
        before += one[c] * one[c];
        after += y[row * 12 + head * 4 + c] * y[row * 12 + head * 4 + c];
      }
      EXPECT_NEAR(after, before, 1e-13);
      const auto alone = rotated(one, 5 + row % 3, RopePairs::kNeighbours);
      for (Index c = 0; c < 4; ++c) EXPECT_EQ(y[row * 12 + head * 4 + c], alone[c]);
    }
  }
}

TEST(Rope, ErrorsNameWhatDoesNotFit) {
  expect_error<ValueError>([] { rope_table<double>(2, 5); }, "width 5.*must be even");
  Tape<double> tape;
  const auto x = tape.leaf(randn({1, 2, 6}, 1));
  expect_error<ShapeError>([&] { rope(x, rope_table<double>(3, 6)); }, "\\(1, 2, 6\\).*\\(3, 6\\)");
  expect_error<ShapeError>([&] { rope(x, rope_table<double>(2, 4)); }, "\\(1, 2, 6\\).*\\(2, 4\\)");
}

}  // namespace
}  // namespace tapehead
