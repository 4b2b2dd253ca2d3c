#include "base/shape.h"

#include <vector>

#include "autograd/check.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Shape, KnowsItsSizes) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape.size(), 24);
  EXPECT_EQ(shape.row_length(), 4);
  EXPECT_EQ(shape.row_count(), 6);
  EXPECT_EQ(shape.dim(-1), 4);
  EXPECT_EQ(shape.dim(0), 2);
  EXPECT_EQ(shape.str(), "(2, 3, 4)");
}

TEST(Shape, OfAScalarHoldsOneElement) {
  const Shape shape;
  EXPECT_EQ(shape.rank(), 0);
  EXPECT_EQ(shape.size(), 1);
  EXPECT_EQ(shape.row_length(), 1);
  EXPECT_EQ(shape.row_count(), 1);
  EXPECT_EQ(shape.str(), "()");
}

TEST(Shape, MayHoldNothing) {
  EXPECT_EQ(Shape({3, 0, 2}).size(), 0);
  EXPECT_EQ(Shape({3, 0}).row_count(), 3);
}

TEST(Shape, ChangesOneDimension) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.with_dim(1, 9), Shape({2, 9, 4}));
  EXPECT_EQ(shape.without_dim(0), Shape({3, 4}));
  EXPECT_EQ(shape.without_dim(2), Shape({2, 3}));
  EXPECT_EQ(shape.appended(5), Shape({2, 3, 4, 5}));
}

TEST(Shape, ComparesRankAndSizes) {
  EXPECT_EQ(Shape({2, 3}), Shape({2, 3}));
  EXPECT_NE(Shape({2, 3}), Shape({3, 2}));
  EXPECT_NE(Shape({2}), Shape({2, 1}));
  EXPECT_NE(Shape{}, Shape({0}));
}

TEST(Shape, RefusesWhatItCannotHold) {
  testing::expect_error<ShapeError>(
      [] {
        Shape({1, 2, 3, 4, 5, 6, 7});
      },
      "shape: 7 dimensions; at most 6");
  testing::expect_error<ShapeError>(
      [] {
        Shape({2, -1});
      },
      "shape: \\(2, -1\\) has a negative size");
  testing::expect_error<ShapeError>(
      [] {
        Shape({1, 1, 1, 1, 1, 1}).appended(2);
      },
      "no room for one more dimension; at most 6");
  testing::expect_error<ShapeError>(
      [] {
        Shape({2, 3}).dim(2);
      },
      "axis 2 does not exist in shape \\(2, 3\\).*\\[-2, 2\\)");
  testing::expect_error<ShapeError>(
      [] {
        Shape({2, 3}).normalized_axis("foo", -3);
      },
      "foo: axis -3 does not exist in shape \\(2, 3\\)");
}

TEST(BroadcastShapes, FollowsNumpysRule) {
  EXPECT_EQ(broadcast_shapes("op", {2, 3}, {2, 3}), Shape({2, 3}));
  EXPECT_EQ(broadcast_shapes("op", {2, 3}, Shape{3}), Shape({2, 3}));
  EXPECT_EQ(broadcast_shapes("op", {2, 1}, {1, 3}), Shape({2, 3}));
  EXPECT_EQ(broadcast_shapes("op", {}, {4, 1}), Shape({4, 1}));
  EXPECT_EQ(broadcast_shapes("op", {0, 3}, {1, 3}), Shape({0, 3}));
  testing::expect_error<ShapeError>(
      [] {
        broadcast_shapes("op", {2, 3}, {4, 3});
      },
      "op: a has shape \\(2, 3\\), b has shape \\(4, 3\\); sizes 2 "
      "and 4 \\(dimension -2\\) must be equal or 1");
  testing::expect_error<ShapeError>(
      [] {
        broadcast_shapes("op", {2, 3}, {0, 3});
      },
      "sizes 2 and 0");
}

TEST(Check, NamesWhatWasFoundAndWhatIsNeeded) {
  testing::expect_error<ShapeError>(
      [] {
        check_same_shape("op", "x", {2, 3}, "y", {3, 2});
      },
      "op: x has shape \\(2, 3\\), y has shape \\(3, 2\\); they must "
      "be equal");
  testing::expect_error<ShapeError>(
      [] {
        check_rank("op", "x", {2, 3}, 3);
      },
      "op: x has shape \\(2, 3\\) of rank 2; rank 3 is needed");
  testing::expect_error<ShapeError>([] { check_min_rank("op", "x", {}, 1); },
                                    "op: x has shape \\(\\) of rank 0; at least rank 1 is needed");
  testing::expect_error<ShapeError>(
      [] {
        check_last_dim("op", "x", {2, 3}, 5, "width");
      },
      "op: x has shape \\(2, 3\\); its last size must be 5 "
      "\\(width\\)");
  check_same_shape("op", "x", {2, 3}, "y", {2, 3});
  check_rank("op", "x", {2, 3}, 2);
  check_min_rank("op", "x", {2, 3}, 1);
  check_last_dim("op", "x", {2, 5}, 5, "width");
}

TEST(Check, PositionsAreRowMajor) {
  EXPECT_EQ(position_str({2, 3, 4}, 0), "(0, 0, 0)");
  EXPECT_EQ(position_str({2, 3, 4}, 23), "(1, 2, 3)");
  EXPECT_EQ(position_str({2, 3, 4}, 13), "(1, 0, 1)");
  EXPECT_EQ(position_str({}, 0), "()");
}

}  // namespace
}  // namespace tapehead
