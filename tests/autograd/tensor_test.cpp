#include "autograd/tensor.h"

#include <cstdint>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Tensor, BeginsWithZeros) {
  const Tensor<double> x({2, 3});
  for (const double v : x.values()) EXPECT_EQ(v, 0);
  EXPECT_EQ(x.size(), 6);
}

TEST(Tensor, DefaultHoldsNothing) {
  EXPECT_FALSE(Tensor<float>().defined());
  EXPECT_TRUE(Tensor<float>(Shape{0}).defined());
}

TEST(Tensor, StandsOnACacheLine) {
  for (const Index n : {1, 3, 100}) {
    const Tensor<float> x(Shape{n});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % Storage::kAlignment, 0U);
  }
}

TEST(Tensor, CopiesAndReshapesShareNumbersClonesDoNot) {
  Tensor<double> x({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(x.unique());
  const Tensor<double> copy = x;
  const Tensor<double> flat = x.reshaped(Shape{4});
  const Tensor<double> clone = x.clone();
  EXPECT_FALSE(x.unique());
  EXPECT_TRUE(clone.unique());
  x[3] = 40;
  EXPECT_EQ(copy[3], 40);
  EXPECT_EQ(flat[3], 40);
  EXPECT_EQ(clone[3], 4);
}

TEST(Tensor, AViewOutlivesTheTensor) {
  Tensor<double> view;
  {
    const Tensor<double> x({2, 3}, {1, 2, 3, 4, 5, 6});
    view = x.view(2, {2, 2});
  }
  testing::expect_bits_equal(view, {{2, 2}, {3, 4, 5, 6}});
  EXPECT_TRUE(view.unique());
}

TEST(Tensor, ItemIsTheOnlyNumber) {
  EXPECT_EQ(Tensor<double>::scalar(7).item(), 7);
  EXPECT_EQ(Tensor<double>({1, 1}, {5}).item(), 5);
  testing::expect_error<ShapeError>(
      [] {
        Tensor<double>({2, 1}).item();
      },
      "item: shape \\(2, 1\\) holds 2 values; exactly one");
}

TEST(Tensor, RefusesShapesThatDoNotFit) {
  testing::expect_error<ShapeError>(
      [] {
        Tensor<double>({2, 2}, {1, 2, 3});
      },
      "tensor: 3 values for shape \\(2, 2\\), which holds 4");
  testing::expect_error<ShapeError>(
      [] {
        Tensor<double>({2, 2}).reshaped(Shape{3});
      },
      "\\(2, 2\\) \\(4 values\\).*\\(3\\) holds 3");
  testing::expect_error<ShapeError>(
      [] {
        Tensor<double>({2, 2}).view(2, Shape{3});
      },
      "view: 3 values from 2 on lie outside shape \\(2, 2\\)");
  testing::expect_error<ShapeError>(
      [] {
        Tensor<double>({2, 2}).view(-1, Shape{1});
      },
      "view: 1 values from -1 on lie outside");
}

}  // namespace
}  // namespace tapehead
