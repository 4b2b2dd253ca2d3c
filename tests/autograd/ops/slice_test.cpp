#include "autograd/ops/slice.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const Tensor<double> kSliceMatrix({2, 3}, {1, 2, 3, 4, 5, 6});
const auto kColumns = [](auto in) { return slice(in[0], 1, 1, 3); };

TEST(Slice, TakesColumnsAndRows) {
  const auto rows = [](auto in) { return slice(in[0], 0, 1, 2); };
  testing::expect_bits_equal(testing::value_of(kColumns, {kSliceMatrix}), {{2, 2}, {2, 3, 5, 6}});
  testing::expect_bits_equal(testing::value_of(rows, {kSliceMatrix}), {{1, 3}, {4, 5, 6}});
}

TEST(Slice, GradientIsZeroOutside) {
  testing::expect_bits_equal(
      testing::gradients_of(kColumns, {kSliceMatrix}, {{2, 2}, {10, 20, 30, 40}})[0],
      {{2, 3}, {0, 10, 20, 0, 30, 40}});
}

TEST(Slice, OverlappingSlicesAddUp) {
  Tape<double> tape;
  const auto x = tape.leaf({{3}, {1, 2, 3}}, true);
  const auto y = slice(x, 0, 0, 2);
  const auto z = slice(x, 0, 1, 3);
  const auto loss =
      tape.record_custom("weights", Tensor<double>::scalar(0), {y, z},
                         [y, z](Tape<double>& t, const Tensor<double>&, const Tensor<double>&) {
                           t.add_grad(y, {{2}, {1, 10}});
                           t.add_grad(z, {{2}, {100, 1000}});
                         });
  tape.backward(loss);
  testing::expect_bits_equal(x.grad(), {{3}, {1, 110, 1000}});
}

TEST(Slice, RefusesARangeOutside) {
  Tape<double> tape;
  const auto x = tape.leaf(kSliceMatrix);
  testing::expect_error<ValueError>([&] { slice(x, 1, 1, 4); },
                                    "slice: \\[1, 4\\) of axis 1 of shape \\(2, 3\\).*<= 3");
  testing::expect_error<ValueError>([&] { slice(x, 1, -1, 2); }, "slice: \\[-1, 2\\)");
  testing::expect_error<ValueError>([&] { slice(x, 1, 2, 1); }, "slice: \\[2, 1\\)");
  testing::expect_error<ShapeError>([&] { slice(x, 2, 0, 1); },
                                    "slice: axis 2 does not exist in shape \\(2, 3\\)");
}

}  // namespace
}  // namespace tapehead
