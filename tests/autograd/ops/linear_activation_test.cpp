#include "autograd/ops/linear_activation.h"

#include <cmath>

#include <fmt/format.h>

#include "autograd/gradcheck.h"
#include "autograd/ops/gelu.h"
#include "autograd/ops/linear.h"
#include "autograd/ops/relu.h"
#include "autograd/ops/silu.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

template <typename Scalar>
Var<Scalar> composed(const Var<Scalar>& x, const Var<Scalar>& w, const Var<Scalar>& b,
                     Activation activation) {
  const Var<Scalar> z = linear(x, w, b);
  switch (activation) {
    case Activation::kGelu:
      return gelu(z, GeluKind::exact);
    case Activation::kGeluTanh:
      return gelu(z, GeluKind::tanh);
    case Activation::kRelu:
      return relu(z);
    case Activation::kSilu:
      return silu(z);
  }
  return z;
}

// The sizes of one call: x (rows, in), weight (out, in).
struct AffineSizes {
  Index rows, in, out;
  bool bias;
};

// The output and the gradients of x, the weight and the bias.
template <typename Scalar, typename Op>
std::vector<Tensor<Scalar>> pass(const Op& op, const AffineSizes& s, int threads) {
  const auto input = [](const Shape& shape, std::uint64_t seed) {
    const Tensor<double> numbers = randn(shape, seed);
    Tensor<Scalar> cast(shape);
    for (Index i = 0; i < cast.size(); ++i) cast[i] = static_cast<Scalar>(numbers[i]);
    return cast;
  };
  Tape<Scalar> tape;
  tape.context().threads = threads;
  const auto x = tape.leaf(input({s.rows, s.in}, 1), true);
  const auto w = tape.leaf(input({s.out, s.in}, 2), true);
  const auto b = s.bias ? tape.leaf(input({s.out}, 3), true) : Var<Scalar>();
  const Var<Scalar> y = op(x, w, b);
  tape.backward(y, input(y.shape(), 4));
  std::vector<Tensor<Scalar>> results = {y.value(), x.grad(), w.grad()};
  if (s.bias) results.push_back(b.grad());
  return results;
}

template <typename Scalar>
void expect_the_bits_of_the_composition(const AffineSizes& s) {
  for (const Activation activation :
       {Activation::kGelu, Activation::kGeluTanh, Activation::kRelu, Activation::kSilu}) {
    for (const int threads : {0, 1, 2}) {
      const auto ours = pass<Scalar>(
          [&](auto... in) { return linear_activation(in..., activation); }, s, threads);
      const auto theirs =
          pass<Scalar>([&](auto... in) { return composed(in..., activation); }, s, threads);
      for (std::size_t i = 0; i < ours.size(); ++i) testing::expect_bits_equal(ours[i], theirs[i]);
    }
  }
}

TEST(LinearActivation, HasTheBitsOfItsComposition) {
  const AffineSizes sizes[] = {
      {3, 4, 5, true},
      {1, 20, 19, true},  // a product by rows
      {70, 33, 37, false},
      {130, 20, 600, true},  // db in blocks of 13 rows; several chunks for the threads
  };
  for (const AffineSizes& s : sizes) {
    SCOPED_TRACE(fmt::format("({}, {}) to {}", s.rows, s.in, s.out));
    expect_the_bits_of_the_composition<float>(s);
    expect_the_bits_of_the_composition<double>(s);
  }
}

TEST(LinearActivation, MatchesItsClosedForm) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {1, 2, 3, 4}}, true);
  const auto w = tape.leaf({{2, 2}, {1, 1, -1, 1}}, true);
  const auto b = tape.leaf({{2}, {0.5, -2}}, true);
  // z = (3.5, -1; 7.5, -1).
  const auto y = linear_activation(x, w, b, Activation::kRelu);
  testing::expect_near(y.value(), {{2, 2}, {3.5, 0, 7.5, 0}}, 0);
  tape.backward(y, {{2, 2}, {1, 10, 100, 1000}});
  testing::expect_near(x.grad(), {{2, 2}, {1, 1, 100, 100}}, 0);
  testing::expect_near(w.grad(), {{2, 2}, {301, 402, 0, 0}}, 0);
  testing::expect_near(b.grad(), {{2}, {101, 0}}, 0);
}

TEST(LinearActivation, IsOneNode) {
  Tape<double> tape;
  const auto x = tape.leaf(randn({3, 4}, 1)), w = tape.leaf(randn({2, 4}, 2), true);
  linear_activation(x, w, {}, Activation::kGelu);
  EXPECT_EQ(tape.count(Op::linear_activation), 1);
  EXPECT_EQ(tape.node_count(), 3);
}

TEST(LinearActivation, NanStaysVisible) {
  Tape<double> tape;
  const auto x = tape.leaf({{1, 1}, {std::nan("")}}), w = tape.leaf({{1, 1}, {1}});
  EXPECT_TRUE(std::isnan(linear_activation(x, w, {}, Activation::kRelu).value().item()));
}

TEST(LinearActivation, RefusesShapesThatDoNotFit) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3}));
  const auto w = tape.leaf(Tensor<double>({4, 5}));
  const auto b = tape.leaf(Tensor<double>(Shape{6}));
  const auto apply = [&](const auto& weight, const auto& bias) {
    return [=] { linear_activation(x, weight, bias, Activation::kRelu); };
  };
  testing::expect_error<ShapeError>(apply(w, Var<double>()),
                                    "linear_activation: x .*\\(2, 3\\).*5");
  testing::expect_error<ShapeError>(apply(w, b), "linear_activation: bias .*\\(6\\).*\\(4\\)");
  testing::expect_error<ShapeError>(apply(b, Var<double>()),
                                    "linear_activation: weight .*\\(6\\).*2");
}

}  // namespace
}  // namespace tapehead
