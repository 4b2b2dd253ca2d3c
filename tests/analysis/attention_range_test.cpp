#include "analysis/attention_range.h"

#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_error;

// Two rows of three positions; the first row asks at 1 and 2, the second at 2.
Batch asking() {
  Batch batch;
  batch.resize(2, 3);
  batch.targets = {kIgnoreTarget, 5, 5, kIgnoreTarget, kIgnoreTarget, 5};
  return batch;
}

// Row by row (query, key). Head 0 looks at itself, head 1 at the first position.
TEST(AttentionRange, MeanDistanceOfHeads) {
  const Tensor<float> weights({2, 2, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1,  //
                                             1, 0, 0, 1, 0, 0, 1, 0, 0,  //
                                             1, 0, 0, 0, 1, 0, 0, 0, 1,  //
                                             1, 0, 0, 1, 0, 0, 1, 0, 0});
  const auto distances = mean_attention_distances(weights, asking());
  ASSERT_EQ(distances.size(), 2);
  EXPECT_DOUBLE_EQ(distances[0], 0);
  EXPECT_DOUBLE_EQ(distances[1], (1.0 + 2 + 2) / 3);
}

// What is later counts by its distance, too, and positions that are not asked do not.
TEST(AttentionRange, DistancesAreWeightedOnBothSides) {
  Batch batch;
  batch.resize(1, 3);
  batch.targets = {kIgnoreTarget, 5, kIgnoreTarget};
  const Tensor<float> weights({1, 1, 3, 3}, {0, 0, 1, 0.25F, 0.25F, 0.5F, 0, 0, 1});
  EXPECT_DOUBLE_EQ(mean_attention_distances(weights, batch)[0], 0.75);
}

// sum_j |i - j| / (i + 1) over j <= i is i / 2.
TEST(AttentionRange, EvenWeightsLookBackHalfWay) {
  const float third = 1.0F / 3;
  const Tensor<float> weights({2, 1, 3, 3}, {1, 0, 0, 0.5F, 0.5F, 0, third, third, third,  //
                                             1, 0, 0, 0.5F, 0.5F, 0, third, third, third});
  EXPECT_DOUBLE_EQ(even_attention_distance(asking()), (0.5 + 1 + 1) / 3);
  EXPECT_NEAR(mean_attention_distances(weights, asking())[0], (0.5 + 1 + 1) / 3, 1e-6);
}

TEST(AttentionRange, RefusesWeightsOfOtherRows) {
  expect_error<ShapeError>(
      [] {
        mean_attention_distances(Tensor<float>({2, 1, 3, 4}), asking());
      },
      "weights \\(2, 1, 3, 4\\) for a batch of 2 rows of 3 positions");
}

TEST(AttentionRange, ShareWithinADistance) {
  // Places 2 and 1; what is after a place lies at no distance before it.
  const std::vector<double> norms = {1, 2, 3, 2, 1, 1};
  const auto shares = share_within(norms, {2, 1}, 3);
  EXPECT_DOUBLE_EQ(shares[0], 0.4);
  EXPECT_DOUBLE_EQ(shares[1], 0.8);
  EXPECT_DOUBLE_EQ(shares[2], 0.9);
  EXPECT_EQ(distance_of_share(shares, 0.4), 0);
  EXPECT_EQ(distance_of_share(shares, 0.5), 1);
  EXPECT_EQ(distance_of_share(shares, 0.95), 3);
}

}  // namespace
}  // namespace tapehead
