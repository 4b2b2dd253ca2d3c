#include "autograd/ops/dropout.h"

#include <cmath>

#include "autograd/kernels/dropout.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

// The mask of a batch of `rows` x 6, cut so that this tape's part begins at row `first_row`.
Tensor<double> mask_of(Index rows, Index first_row, const RunContext& base, std::uint32_t layer = 0,
                       double p = 0.5) {
  Tape<double> tape;
  tape.context() = base;
  tape.context().training = true;
  tape.context().first_row = first_row;
  return dropout(tape.leaf(Tensor<double>::full({rows, 6}, 1)), p, layer).value();
}

bool equal(const Tensor<double>& a, const Tensor<double>& b) {
  return std::equal(a.values().begin(), a.values().end(), b.values().begin());
}

TEST(Dropout, DropsAShareOfPAndKeepsTheMean) {
  constexpr Index kCount = 100000;
  for (const double p : {0.1, 0.5, 0.9}) {
    std::vector<float> mask(kCount);
    kernels::dropout_mask({.seed = 3}, 0, kCount, p, mask.data());
    Index dropped = 0;
    for (const float m : mask) {
      dropped += m == 0 ? 1 : 0;
      ASSERT_TRUE(m == 0 || m == static_cast<float>(1 / (1 - p))) << m;
    }
    // Five standard deviations of a binomial count.
    EXPECT_NEAR(static_cast<double>(dropped), p * kCount, 5 * std::sqrt(kCount * p * (1 - p)));
  }
}

TEST(Dropout, NeighboursAreIndependent) {
  constexpr Index kCount = 100000;
  std::vector<double> mask(kCount + 1);
  kernels::dropout_mask({.seed = 4}, 0, kCount + 1, 0.5, mask.data());
  Index both = 0;
  for (std::size_t i = 0; i < kCount; ++i) both += mask[i] != 0 && mask[i + 1] != 0 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(both), kCount / 4.0, 5 * std::sqrt(kCount * 5.0 / 16));
}

TEST(Dropout, TheMaskIsTheSameHoweverTheBatchIsCut) {
  const Tensor<double> whole = mask_of(5, 0, {.seed = 1, .step = 2});
  for (const Index first : {1, 2, 3}) {
    testing::expect_bits_equal(mask_of(5 - first, first, {.seed = 1, .step = 2}),
                               whole.view(first * 6, {5 - first, 6}));
  }
}

TEST(Dropout, AnyPieceOfTheMaskIsThatPieceOfTheWhole) {
  const kernels::DropoutKey key{.seed = 6, .step = 7, .layer_id = 8};
  std::vector<float> whole(600);
  kernels::dropout_mask(key, 0, 600, 0.4, whole.data());
  for (const Index first : {0, 1, 3, 4, 130}) {
    for (const Index n : {0, 1, 2, 5, 128, 129, 300}) {
      std::vector<float> piece(static_cast<std::size_t>(n));
      kernels::dropout_mask(key, first, n, 0.4, piece.data());
      ASSERT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + first))
          << n << " from " << first;
    }
  }
}

TEST(Dropout, SeedStepAndLayerEachChangeTheMask) {
  const Tensor<double> mask = mask_of(9, 0, {.seed = 1, .step = 2}, 3);
  EXPECT_TRUE(equal(mask, mask_of(9, 0, {.seed = 1, .step = 2}, 3)));
  EXPECT_FALSE(equal(mask, mask_of(9, 0, {.seed = 2, .step = 2}, 3)));
  EXPECT_FALSE(equal(mask, mask_of(9, 0, {.seed = 1, .step = 3}, 3)));
  EXPECT_FALSE(equal(mask, mask_of(9, 0, {.seed = 1, .step = 2}, 4)));
}

TEST(Dropout, FloatAndDoubleDropTheSame) {
  std::vector<float> f(1000);
  std::vector<double> d(1000);
  kernels::dropout_mask({.seed = 5}, 17, 1000, 0.3, f.data());
  kernels::dropout_mask({.seed = 5}, 17, 1000, 0.3, d.data());
  for (std::size_t i = 0; i < f.size(); ++i) ASSERT_EQ(f[i] == 0, d[i] == 0) << i;
}

TEST(Dropout, IsTheIdentityWithoutTrainingAndForPZero) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>::full({4}, 1));
  EXPECT_TRUE(dropout(x, 0.5, 0).same_as(x));
  tape.context().training = true;
  EXPECT_TRUE(dropout(x, 0.0, 0).same_as(x));
}

TEST(Dropout, RefusesPOutsideItsRange) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({4}));
  testing::expect_error<ValueError>([&] { dropout(x, 1.0, 0); }, "dropout: p is 1; .*\\[0, 1\\)");
  testing::expect_error<ValueError>([&] { dropout(x, -0.1, 0); }, "dropout: p is -0.1");
  testing::expect_error<ValueError>([&] { dropout(x, std::nan(""), 0); }, "dropout: p is nan");
}

}  // namespace
}  // namespace tapehead
