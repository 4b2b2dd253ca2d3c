#include "autograd/ops/concat.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kColumns = [](auto in) { return concat(in, 1); };

TEST(Concat, PutsColumnsSideBySide) {
  const std::vector<Tensor<double>> parts = {{{2, 1}, {1, 4}}, {{2, 2}, {2, 3, 5, 6}}};
  testing::expect_bits_equal(testing::value_of(kColumns, parts), {{2, 3}, {1, 2, 3, 4, 5, 6}});
  const auto d = testing::gradients_of(kColumns, parts, {{2, 3}, {10, 20, 30, 40, 50, 60}});
  testing::expect_bits_equal(d[0], {{2, 1}, {10, 40}});
  testing::expect_bits_equal(d[1], {{2, 2}, {20, 30, 50, 60}});
}

TEST(Concat, PutsRowsBelowEachOther) {
  const auto rows = [](auto in) { return concat(in, 0); };
  testing::expect_bits_equal(testing::value_of(rows, {{{1, 2}, {1, 2}}, {{2, 2}, {3, 4, 5, 6}}}),
                             {{3, 2}, {1, 2, 3, 4, 5, 6}});
}

TEST(Concat, RefusesWhatDoesNotFit) {
  testing::expect_error<ShapeError>(
      [&] {
        testing::value_of(kColumns, {Tensor<double>({2, 3}), Tensor<double>({3, 3})});
      },
      "concat: input 0 has shape \\(2, 3\\), input 1 has shape \\(3, 3\\).*axis 1");
  testing::expect_error<ShapeError>(
      [&] {
        testing::value_of(kColumns, {Tensor<double>({2, 3}), Tensor<double>({2, 3, 1})});
      },
      "concat: input 0 has shape \\(2, 3\\), input 1 has shape \\(2, 3, 1\\)");
  testing::expect_error<ShapeError>(
      [&] { testing::value_of(kColumns, {Tensor<double>(Shape{2})}); },
      "concat: axis 1 does not exist in shape \\(2\\)");
  testing::expect_error<ValueError>([] { concat(std::span<const Var<double>>(), 0); },
                                    "concat: there is no input");
}

}  // namespace
}  // namespace tapehead
