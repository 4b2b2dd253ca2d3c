#include "app/bench/bench.h"

#include <gtest/gtest.h>

namespace tapehead {
namespace {

TEST(Bench, CountsTheOperationsOfTheProductsAndOfAttention) {
  const BenchJob& tiny = find_bench_job("tiny");  // 32 rows of 16, width 32, one layer
  // Four projections of 32 x 32, two of 32 x 128, and 16 x 32 to the vocabulary; 6 a weight.
  const double products = 512.0 * 6 * (4 * 1024 + 2 * 4096 + 512);
  EXPECT_EQ(bench_flops(bench_config(tiny), 16), products + 512.0 * 12 * 16 * 32);
  // Keys and values of one head of two: half of two projections less.
  const double fewer = 512.0 * 6 * 1024;
  EXPECT_EQ(bench_flops(bench_config(tiny, {"model.kv_heads=1"}), 16),
            products - fewer + 512.0 * 12 * 16 * 32);
  EXPECT_EQ(bench_flops(bench_config(tiny, {"model.kind=lstm", "model.heads=4"}), 16), 0);
}

}  // namespace
}  // namespace tapehead
