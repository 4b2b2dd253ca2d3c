// The gradient check uses few numbers. Here arrays are longer than the chunks that threads take and
// than the blocks that kernels work in, and results must not depend on where these are cut.

#include <cmath>
#include <functional>

#include "autograd/gradcheck.h"
#include "autograd/ops/ops.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using Unary = std::function<Var<float>(const Var<float>&)>;

Tensor<float> to_float(const Tensor<double>& x) {
  Tensor<float> result(x.shape());
  for (Index i = 0; i < x.size(); ++i) result[i] = static_cast<float>(x[i]);
  return result;
}

struct Result {
  Tensor<float> y, dx;
};

Result run(const Unary& f, const Tensor<float>& x, const Tensor<float>& dy, int threads) {
  Tape<float> tape;
  tape.context().threads = threads;
  const auto in = tape.leaf(x, true);
  const auto y = f(in);
  tape.backward(y, dy);
  return {y.value(), in.grad()};
}

struct Named {
  const char* name;
  Unary f;
};

class ElementwiseBits : public ::testing::TestWithParam<Named> {};

TEST_P(ElementwiseBits, DependNeitherOnThePlaceNorOnThreads) {
  constexpr Index kSize = 20011;
  constexpr Index kShift = 5;
  const Tensor<float> x = to_float(uniform(Shape{kSize}, 1, 0.01, 6.0));
  const Tensor<float> dy = to_float(randn(Shape{kSize}, 2));
  const Result whole = run(GetParam().f, x, dy, 0);
  const Result threaded = run(GetParam().f, x, dy, 3);
  testing::expect_bits_equal(threaded.y, whole.y);
  testing::expect_bits_equal(threaded.dx, whole.dx);

  const Shape rest{kSize - kShift};
  const Result shifted = run(GetParam().f, x.view(kShift, rest), dy.view(kShift, rest), 0);
  testing::expect_bits_equal(shifted.y, whole.y.view(kShift, rest));
  testing::expect_bits_equal(shifted.dx, whole.dx.view(kShift, rest));
}

INSTANTIATE_TEST_SUITE_P(
    Ops, ElementwiseBits,
    ::testing::Values(Named{"exp", [](const auto& x) { return exp(x); }},
                      Named{"gelu_exact", [](const auto& x) { return gelu(x); }},
                      Named{"gelu_tanh", [](const auto& x) { return gelu(x, GeluKind::tanh); }},
                      Named{"log", [](const auto& x) { return log(x); }},
                      Named{"neg", [](const auto& x) { return neg(x); }},
                      Named{"relu", [](const auto& x) { return relu(x); }},
                      Named{"scale", [](const auto& x) { return scale(x, 0.3); }},
                      Named{"sigmoid", [](const auto& x) { return sigmoid(x); }},
                      Named{"silu", [](const auto& x) { return silu(x); }},
                      Named{"softplus", [](const auto& x) { return softplus(x); }},
                      Named{"sqrt", [](const auto& x) { return sqrt(x); }},
                      Named{"square", [](const auto& x) { return square(x); }},
                      Named{"tanh", [](const auto& x) { return tanh(x); }},
                      Named{"div",
                            [](const auto& x) {
                              return div(x, x.tape().leaf(Tensor<float>::scalar(3)));
                            }}),
    [](const auto& p) { return p.param.name; });

// y_ijk = a_ijk b_ik, the middle dimension of b being repeated.
TEST(LargeArrays, BroadcastProductIsThatOfPlainLoops) {
  constexpr Index kOuter = 7, kMiddle = 50, kInner = 61;
  const Tensor<double> a = randn({kOuter, kMiddle, kInner}, 1);
  const Tensor<double> b = randn({kOuter, 1, kInner}, 2);
  const Tensor<double> dy = randn(a.shape(), 3);
  Tensor<double> y(a.shape()), da(a.shape()), db(b.shape());
  for (Index i = 0; i < a.size(); ++i) {
    const Index j = i / (kMiddle * kInner) * kInner + i % kInner;
    y[i] = a[i] * b[j];
    da[i] = dy[i] * b[j];
    db[j] += dy[i] * a[i];
  }
  for (const int threads : {0, 3}) {
    Tape<double> tape;
    tape.context().threads = threads;
    const auto in_a = tape.leaf(a, true);
    const auto in_b = tape.leaf(b, true);
    const auto product = mul(in_a, in_b);
    tape.backward(product, dy);
    testing::expect_bits_equal(product.value(), y);
    testing::expect_bits_equal(in_a.grad(), da);
    testing::expect_near(in_b.grad(), db, 1e-14);
  }
}

// Each reduction against a plain loop in double, along every axis of a shape whose slices are
// longer than a block and whose neighbours are more than a range.
TEST(LargeArrays, ReductionsAreThoseOfPlainLoops) {
  const Tensor<double> x = randn({3, 700, 301}, 1);
  for (int axis = 0; axis < 3; ++axis) {
    const Index length = x.dim(axis);
    Index inner = 1;
    for (int d = axis + 1; d < 3; ++d) inner *= x.dim(d);
    const Shape left = x.shape().without_dim(axis);
    Tensor<double> sums(left), largest(left), logs(left);
    for (Index s = 0; s < left.size(); ++s) {
      const Index start = s / inner * length * inner + s % inner;
      double exps = 0;
      largest[s] = x[start];
      for (Index j = 0; j < length; ++j) {
        const double v = x[start + j * inner];
        sums[s] += v;
        largest[s] = std::max(largest[s], v);
        exps += std::exp(v);
      }
      logs[s] = std::log(exps);
    }
    for (const int threads : {0, 3}) {
      Tape<double> tape(Tape<double>::Mode::kInference);
      tape.context().threads = threads;
      const auto in = tape.leaf(x);
      testing::expect_near(sum(in, axis).value(), sums, 1e-12);
      testing::expect_bits_equal(max(in, axis).value(), largest);
      testing::expect_near(logsumexp(in, axis).value(), logs, 1e-14);
    }
  }
}

// The gradient of logsumexp is the softmax, which has a kernel of its own.
TEST(LargeArrays, GradientOfLogsumexpIsTheSoftmax) {
  const Tensor<double> x = randn({2, 600, 270}, 1);
  for (const int axis : {0, 1, 2}) {
    Tape<double> tape;
    const auto in = tape.leaf(x, true);
    tape.backward(sum(logsumexp(in, axis)));
    Tape<double> other(Tape<double>::Mode::kInference);
    testing::expect_near(in.grad(), softmax(other.leaf(x), axis).value(), 1e-14);
  }
}

TEST(LargeArrays, PermuteThereAndBackIsTheIdentity) {
  const Tensor<double> x = randn({5, 33, 7, 40}, 1);
  for (const int threads : {0, 3}) {
    Tape<double> tape(Tape<double>::Mode::kInference);
    tape.context().threads = threads;
    const auto y = permute(permute(tape.leaf(x), {2, 0, 3, 1}), {1, 3, 0, 2});
    testing::expect_bits_equal(y.value(), x);
  }
}

}  // namespace
}  // namespace tapehead
