#include "autograd/ops/packed_linear.h"

#include <string>

#include "autograd/gradcheck.h"
#include "autograd/ops/linear.h"
#include "autograd/ops/operators.h"
#include "autograd/ops/sum.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

template <typename Scalar>
Tensor<Scalar> numbers(const Shape& shape, std::uint64_t seed) {
  const Tensor<double> exact = randn(shape, seed);
  Tensor<Scalar> cast(shape);
  for (Index i = 0; i < cast.size(); ++i) cast[i] = static_cast<Scalar>(exact[i]);
  return cast;
}

// What a pass of `project` gives, x (rows, in) being mapped to `outs` numbers: the results, then
// the gradients of x, weights and biases.
template <typename Scalar, std::size_t n, typename Project>
std::vector<Tensor<Scalar>> pass_of_maps(const Project& project, Index rows, Index in,
                                         const std::array<Index, n>& outs, int threads) {
  Tape<Scalar> tape;
  tape.context().threads = threads;
  std::vector<Var<Scalar>> leaves = {tape.leaf(numbers<Scalar>({rows, in}, 1), true)};
  std::array<AffineMap<Scalar>, n> maps;
  for (std::size_t i = 0; i < n; ++i) {
    maps[i].weight = tape.leaf(numbers<Scalar>({outs[i], in}, 10 + i), true);
    maps[i].bias = tape.leaf(numbers<Scalar>({outs[i]}, 20 + i), true);
    leaves.push_back(maps[i].weight);
    leaves.push_back(maps[i].bias);
  }
  const std::array<Var<Scalar>, n> ys = project(leaves.front(), maps);
  std::vector<Tensor<Scalar>> results;
  Var<Scalar> loss = sum(ys[0] * tape.leaf(numbers<Scalar>(ys[0].shape(), 30)));
  for (std::size_t i = 1; i < n; ++i) {
    loss = loss + sum(ys[i] * tape.leaf(numbers<Scalar>(ys[i].shape(), 30 + i)));
  }
  for (const auto& y : ys) results.push_back(y.value());
  tape.backward(loss);
  for (const auto& leaf : leaves) results.push_back(leaf.grad());
  return results;
}

template <typename Scalar, std::size_t n>
void expect_the_bits_of_linear(Index rows, Index in, const std::array<Index, n>& outs) {
  const auto packed = [](const auto& x, const auto& maps) { return packed_linear(x, maps); };
  const auto one_by_one = [](const auto& x, const auto& maps) {
    std::array<Var<Scalar>, n> ys;
    for (std::size_t i = 0; i < n; ++i) ys[i] = linear(x, maps[i].weight, maps[i].bias);
    return ys;
  };
  for (const int threads : {0, 1, 2}) {
    const auto ours = pass_of_maps<Scalar, n>(packed, rows, in, outs, threads);
    const auto theirs = pass_of_maps<Scalar, n>(one_by_one, rows, in, outs, threads);
    for (std::size_t i = 0; i < ours.size(); ++i) testing::expect_bits_equal(ours[i], theirs[i]);
  }
}

TEST(PackedLinear, HasTheBitsOfItsComposition) {
  expect_the_bits_of_linear<float, 3>(70, 33, {37, 16, 5});
  expect_the_bits_of_linear<double, 3>(70, 33, {37, 16, 5});
  expect_the_bits_of_linear<float, 2>(1, 8, {4, 8});
  expect_the_bits_of_linear<double, 2>(130, 8, {4, 8});
}

TEST(PackedLinear, MatchesItsClosedForm) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {1, 2, 3, 4}}, true);
  const auto w = tape.leaf({{1, 2}, {5, 6}}, true);
  const auto b = tape.leaf({{1}, {7}}, true);
  const auto u = tape.leaf({{2, 2}, {1, 0, 0, 1}}, true);
  const auto [y, z] = packed_linear<double, 2>(x, {AffineMap<double>{w, b}, {u, {}}});
  testing::expect_near(y.value(), {{2, 1}, {24, 46}}, 0);
  testing::expect_near(z.value(), x.value(), 0);
  tape.backward(sum(y * z));
  // d sum(y z) = z dy + y dz, y being broadcast.
  testing::expect_near(x.grad(), {{2, 2}, {39, 42, 81, 88}}, 0);
  testing::expect_near(w.grad(), {{1, 2}, {24, 34}}, 0);
  testing::expect_near(b.grad(), {{1}, {10}}, 0);
  testing::expect_near(u.grad(), {{2, 2}, {162, 232, 162, 232}}, 0);
}

TEST(PackedLinear, RefusesShapesThatDoNotFit) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3}));
  const AffineMap<double> fits{tape.leaf(Tensor<double>({4, 3})), {}};
  const AffineMap<double> wide{tape.leaf(Tensor<double>({4, 5})), {}};
  const AffineMap<double> biased{fits.weight, tape.leaf(Tensor<double>(Shape{6}))};
  testing::expect_error<ShapeError>(
      [&] {
        packed_linear<double, 2>(x, {fits, wide});
      },
      "packed_linear: x .*\\(2, 3\\).*5");
  testing::expect_error<ShapeError>(
      [&] {
        packed_linear<double, 2>(x, {biased, fits});
      },
      "packed_linear: bias .*\\(6\\).*\\(4\\)");
}

}  // namespace
}  // namespace tapehead
