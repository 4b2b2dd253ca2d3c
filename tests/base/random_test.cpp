#include "base/random.h"

#include <cmath>
#include <vector>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The known answers that Random123 publishes for philox4x32-10 (its file kat_vectors).
TEST(Philox, GivesThePublishedAnswers) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, BeginsWithTheBlockOfItsName) {
  constexpr std::uint64_t kSeed = 0x1122334455667788;
  constexpr std::uint64_t kPosition = 0x99aabbccddeeff00;
  Random random(kSeed, 7, kPosition);
  for (const std::uint32_t word :
       philox({0, 7, 0xddeeff00, 0x99aabbcc}, {0x55667788, 0x11223344})) {
    EXPECT_EQ(random.next_u32(), word);
  }
  EXPECT_EQ(random.next_u32(), philox({1, 7, 0xddeeff00, 0x99aabbcc}, {0x55667788, 0x11223344})[0]);
}

TEST(Random, EqualNamesGiveEqualNumbersAndOthersDoNot) {
  const auto first = [](Random random) { return random.next_u64(); };
  EXPECT_EQ(first(Random(1, 2, 3)), first(Random(1, 2, 3)));
  EXPECT_NE(first(Random(1, 2, 3)), first(Random(2, 2, 3)));
  EXPECT_NE(first(Random(1, 2, 3)), first(Random(1, 3, 3)));
  EXPECT_NE(first(Random(1, 2, 3)), first(Random(1, 2, 4)));
}

// The first moments of n draws, each with the standard deviation that theory gives: five of them
// leave one run in two million to chance, and the seed is fixed.
TEST(Random, UniformHasTheRightMoments) {
  constexpr int kDraws = 100000;
  Random random(1);
  double sum = 0, sum_of_squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    sum_of_squares += u * u;
  }
  EXPECT_NEAR(sum / kDraws, 1.0 / 2, 5 * std::sqrt(1.0 / 12 / kDraws));
  EXPECT_NEAR(sum_of_squares / kDraws, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kDraws));
}

TEST(Random, UniformKeepsItsBounds) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const double u = random.uniform(-3, -2);
    ASSERT_GE(u, -3);
    ASSERT_LE(u, -2);
  }
}

TEST(Random, NormalHasTheRightMoments) {
  constexpr int kDraws = 100000;
  Random random(3);
  std::array<double, 5> moments{};
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    for (std::size_t k = 1; k < moments.size(); ++k) {
      moments[k] += std::pow(x, static_cast<double>(k)) / kDraws;
    }
  }
  // E x^2k = (2k - 1)!!, so the variances of the four means are 1, 2, 15 and 96 over n.
  EXPECT_NEAR(moments[1], 0, 5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15.0 / kDraws));
  EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96.0 / kDraws));
}

TEST(Random, BelowIsEvenAndInBounds) {
  constexpr Index kBound = 7;
  constexpr int kDraws = 70000;
  Random random(4);
  std::vector<int> counts(kBound);
  for (int i = 0; i < kDraws; ++i) {
    const Index n = random.below(kBound);
    ASSERT_GE(n, 0);
    ASSERT_LT(n, kBound);
    ++counts[static_cast<std::size_t>(n)];
  }
  const double p = 1.0 / kBound;
  for (const int count : counts)
    EXPECT_NEAR(count, kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)));
  EXPECT_EQ(random.below(1), 0);
}

TEST(Random, BelowRefusesAnEmptyRange) {
  Random random(5);
  testing::expect_error<ValueError>([&] { random.below(0); }, "random: below\\(0\\)");
  testing::expect_error<ValueError>([&] { random.below(-4); }, "random: below\\(-4\\)");
}

}  // namespace
}  // namespace tapehead
