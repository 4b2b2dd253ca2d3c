#include "autograd/ops/matmul.h"

#include "autograd/gradcheck.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

Tensor<double> transposed(const Tensor<double>& x) {  // the last two dimensions
  const Index rows = x.dim(-2), columns = x.dim(-1);
  Tensor<double> y(x.shape().with_dim(x.rank() - 2, columns).with_dim(x.rank() - 1, rows));
  for (Index i = 0; i < x.size(); ++i) {
    const Index at = i % (rows * columns);
    y[i - at + at % columns * rows + at / columns] = x[i];
  }
  return y;
}

Tensor<double> product(const Tensor<double>& a, const Tensor<double>& b, bool ta = false,
                       bool tb = false) {
  Tape<double> tape;
  return matmul(tape.leaf(a), tape.leaf(b), ta, tb).value();
}

TEST(Matmul, MatchesItsClosedForm) {
  testing::expect_near(product({{2, 3}, {1, 2, 3, 4, 5, 6}}, {{3, 2}, {1, 0, 0, 1, 1, -1}}),
                       {{2, 2}, {4, -1, 10, -1}}, 0);
}

TEST(Matmul, BatchesBroadcastAsInNumPy) {
  // a: two matrices (2, 1, 1, 2), b: three (3, 2, 1): every pair.
  testing::expect_near(product({{2, 1, 1, 2}, {1, 2, 3, 4}}, {{3, 2, 1}, {1, 0, 0, 1, 1, 1}}),
                       {{2, 3, 1, 1}, {1, 2, 3, 3, 4, 7}}, 0);
}

TEST(Matmul, TransposingEqualsTransposedInputs) {
  const Tensor<double> a = randn({2, 5, 3}, 1), b = randn({2, 3, 4}, 2);
  const Tensor<double> y = product(a, b);
  testing::expect_near(product(transposed(a), b, true, false), y, 1e-15);
  testing::expect_near(product(a, transposed(b), false, true), y, 1e-15);
  testing::expect_near(product(transposed(a), transposed(b), true, true), y, 1e-15);
}

TEST(Matmul, OneMatrixAgainstABatchEqualsOneByOne) {
  const Tensor<double> a = randn({3, 4, 5}, 3), b = randn({5, 2}, 4);
  const Tensor<double> y = product(a, b);
  for (Index i = 0; i < 3; ++i) {
    testing::expect_near(y.view(i * 8, {4, 2}), product(a.view(i * 20, {4, 5}), b), 1e-15);
  }
}

TEST(Matmul, RefusesShapesThatDoNotFit) {
  Tape<double> tape;
  const auto a = tape.leaf(Tensor<double>({2, 3}));
  const auto b = tape.leaf(Tensor<double>({4, 5}));
  const auto v = tape.leaf(Tensor<double>({3}));
  testing::expect_error<ShapeError>([&] { matmul(a, b); },
                                    "matmul: a .*\\(2, 3\\), b .*\\(4, 5\\); inner sizes 3 and 4");
  testing::expect_error<ShapeError>([&] { matmul(a, b, true, true); },
                                    "\\(2, 3\\) \\(transposed\\).*inner sizes 2 and 5");
  testing::expect_error<ShapeError>([&] { matmul(a, v); }, "matmul: b .*\\(3\\).*rank 2");
  testing::expect_error<ShapeError>([&] { matmul(v, a); }, "matmul: a .*\\(3\\).*rank 2");
  const auto two = tape.leaf(Tensor<double>({2, 3, 4}));
  const auto three = tape.leaf(Tensor<double>({3, 4, 3}));
  testing::expect_error<ShapeError>([&] { matmul(two, three); }, "matmul: .*sizes 2 and 3");
}

}  // namespace
}  // namespace tapehead
