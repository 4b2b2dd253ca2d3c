#include "autograd/ops/mask_rows.h"

#include <limits>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(MaskRows, KeepsRowsOrGivesExactZeros) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Tape<double> tape;
  const auto x = tape.leaf({{3, 2}, {1, 2, kNan, 3, 4, 5}}, true);
  const auto y = mask_rows(x, {{3}, {1, 0, 7}});
  testing::expect_bits_equal(y.value(), {{3, 2}, {1, 2, 0, 0, 4, 5}});
  tape.backward(y, {{3, 2}, {10, 20, kNan, kNan, 30, 40}});
  testing::expect_bits_equal(x.grad(), {{3, 2}, {10, 20, 0, 0, 30, 40}});
}

TEST(MaskRows, RefusesAKeepOfAnotherShape) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3, 4}));
  testing::expect_error<ShapeError>(
      [&] {
        mask_rows(x, Tensor<std::uint8_t>({2, 4}));
      },
      "mask_rows: keep .*\\(2, 4\\).*\\(2, 3\\)");
  testing::expect_error<ShapeError>(
      [&] { mask_rows(tape.leaf(Tensor<double>::scalar(1)), Tensor<std::uint8_t>({1})); },
      "mask_rows: x .*rank 1");
}

}  // namespace
}  // namespace tapehead
