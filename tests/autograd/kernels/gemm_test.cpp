#include "autograd/kernels/gemm.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "autograd/kernels/gemm_by_rows.h"
#include "autograd/kernels/gemm_tiles.h"
#include "base/random.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

enum class Path { kEigen, kTiles, kByRows };

// One product to try. Rows lie `gap` numbers further apart than they are long.
struct Problem {
  Index m, n, k;
  bool transpose_a = false, transpose_b = false;
  double alpha = 1, beta = 0;
  Index gap = 0;

  Index lda() const { return (transpose_a ? m : k) + gap; }
  Index ldb() const { return (transpose_b ? k : n) + gap; }
  Index ldc() const { return n + gap; }
  std::string str() const {
    return fmt::format("{} x {} x {}, transposed {} {}, alpha {}, beta {}, gap {}", m, n, k,
                       transpose_a, transpose_b, alpha, beta, gap);
  }
};

template <typename Scalar>
std::vector<Scalar> random_numbers(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Scalar> x(static_cast<std::size_t>(n));
  for (Scalar& v : x) v = static_cast<Scalar>(random.normal());
  return x;
}

template <typename Scalar>
struct Matrices {
  std::vector<Scalar> a, b, c;

  explicit Matrices(const Problem& p)
      : a(random_numbers<Scalar>((p.transpose_a ? p.k : p.m) * p.lda(), 1)),
        b(random_numbers<Scalar>((p.transpose_b ? p.n : p.k) * p.ldb(), 2)),
        c(random_numbers<Scalar>(p.m * p.ldc(), 3)) {}

  Gemm<Scalar> product(const Problem& p) {
    return {.m = p.m,
            .n = p.n,
            .k = p.k,
            .a = a.data(),
            .lda = p.lda(),
            .transpose_a = p.transpose_a,
            .b = b.data(),
            .ldb = p.ldb(),
            .transpose_b = p.transpose_b,
            .c = c.data(),
            .ldc = p.ldc(),
            .alpha = static_cast<Scalar>(p.alpha),
            .beta = static_cast<Scalar>(p.beta)};
  }
};

// The definition, in double; the gaps keep their numbers.
template <typename Scalar>
std::vector<double> naive(const Problem& p, const Matrices<Scalar>& in) {
  std::vector<double> c(in.c.begin(), in.c.end());
  const auto at = [](const std::vector<Scalar>& x, Index i) {
    return static_cast<double>(x[static_cast<std::size_t>(i)]);
  };
  for (Index i = 0; i < p.m; ++i) {
    for (Index j = 0; j < p.n; ++j) {
      double sum = 0;
      for (Index l = 0; l < p.k; ++l) {
        sum += at(in.a, p.transpose_a ? l * p.lda() + i : i * p.lda() + l) *
               at(in.b, p.transpose_b ? j * p.ldb() + l : l * p.ldb() + j);
      }
      double& y = c[static_cast<std::size_t>(i * p.ldc() + j)];
      y = p.alpha * sum + (p.beta == 0 ? 0 : p.beta * y);
    }
  }
  return c;
}

template <typename Scalar>
void run(Path path, const Gemm<Scalar>& product) {
  if (path == Path::kTiles) return kernels::gemm_tiles(product);
  if (path == Path::kByRows) return kernels::gemm_by_rows(product);
  gemm_eigen(product);
}

template <typename Scalar>
void expect_matches_definition(Path path, const Problem& p) {
  Matrices<Scalar> data(p);
  const std::vector<double> expected = naive(p, data);
  run(path, data.product(p));
  // Rounding of a sum of k products of order 1.
  const double tolerance =
      4 * std::numeric_limits<Scalar>::epsilon() * static_cast<double>(p.k + 4);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(data.c[i]), expected[i], tolerance)
        << "at " << i << " of " << p.str();
  }
}

template <typename Scalar>
void expect_all_match_definition(Path path) {
  const Index sizes[][3] = {{1, 1, 1},  {2, 3, 4},  {7, 5, 13},  {16, 16, 16}, {33, 17, 9},
                            {1, 19, 6}, {19, 1, 6}, {65, 64, 1}, {70, 3, 70}};
  for (const auto& [m, n, k] : sizes) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        expect_matches_definition<Scalar>(path, {m, n, k, ta, tb});
        expect_matches_definition<Scalar>(path, {m, n, k, ta, tb, 0.5, 1.0});
        expect_matches_definition<Scalar>(path, {m, n, k, ta, tb, -2.0, 0.25, 3});
      }
    }
  }
}

template <typename Scalar>
void expect_empty_products_are_right(Path path) {
  for (const auto& [m, n, k] : {std::array<Index, 3>{0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {0, 0, 0}}) {
    expect_matches_definition<Scalar>(path, {m, n, k});
    expect_matches_definition<Scalar>(path, {m, n, k, true, true, 1.0, 0.5});
  }
}

template <typename Scalar>
void expect_nan_in_c_is_overwritten(Path path) {
  for (const Index k : {Index{0}, Index{3}}) {
    const Problem p{5, 4, k};
    Matrices<Scalar> data(p);
    std::fill(data.c.begin(), data.c.end(), std::numeric_limits<Scalar>::quiet_NaN());
    run(path, data.product(p));
    for (const Scalar v : data.c) ASSERT_TRUE(std::isfinite(v)) << p.str();
  }
}

TEST(GemmEigen, MatchesTheDefinition) {
  expect_all_match_definition<float>(Path::kEigen);
  expect_all_match_definition<double>(Path::kEigen);
}

TEST(GemmEigen, SizesOfZero) {
  expect_empty_products_are_right<float>(Path::kEigen);
  expect_empty_products_are_right<double>(Path::kEigen);
}

TEST(GemmEigen, BetaZeroOverwritesNan) {
  expect_nan_in_c_is_overwritten<float>(Path::kEigen);
  expect_nan_in_c_is_overwritten<double>(Path::kEigen);
}

// Around one and two tiles, whatever the CPU's registers, and around the sizes from which on a and
// b are packed.
template <typename Scalar>
void expect_tiles_match_definition() {
  for (const Index m : {5, 6, 7, 11, 12, 13, 24, 25}) {
    for (const Index n : {4, 8, 15, 16, 17, 31, 32, 33, 66}) {
      for (const bool ta : {false, true}) {
        for (const bool tb : {false, true}) {
          expect_matches_definition<Scalar>(Path::kTiles, {m, n, 10, ta, tb, -2.0, 0.25, 3});
        }
      }
    }
  }
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      expect_matches_definition<Scalar>(Path::kTiles, {50, 40, 384, ta, tb});
      expect_matches_definition<Scalar>(Path::kTiles, {50, 40, 385, ta, tb, 0.5, 1.0});
      expect_matches_definition<Scalar>(Path::kTiles, {203, 171, 70, ta, tb, 0.5, 1.0, 1024});
    }
  }
}

TEST(GemmTiles, MatchesTheDefinition) {
  expect_all_match_definition<float>(Path::kTiles);
  expect_all_match_definition<double>(Path::kTiles);
  expect_tiles_match_definition<float>();
  expect_tiles_match_definition<double>();
}

TEST(GemmTiles, SizesOfZero) {
  expect_empty_products_are_right<float>(Path::kTiles);
  expect_empty_products_are_right<double>(Path::kTiles);
}

TEST(GemmTiles, BetaZeroOverwritesNan) {
  expect_nan_in_c_is_overwritten<float>(Path::kTiles);
  expect_nan_in_c_is_overwritten<double>(Path::kTiles);
}

TEST(GemmTiles, ANumbersBitsDoNotDependOnTheRowsAroundIt) {
  for (const bool ta : {false, true}) {
    const Problem p{100, 70, 500, ta, true};
    Matrices<float> whole(p), parts(p);
    kernels::gemm_tiles(whole.product(p));
    for (Index row = 0; row < p.m; row += 7) {
      Gemm<float> part = parts.product(p);
      part.m = std::min(Index{7}, p.m - row);
      part.a += ta ? row : row * p.lda();
      part.c += row * p.ldc();
      kernels::gemm_tiles(part);
    }
    EXPECT_EQ(whole.c, parts.c);
  }
}

template <typename Scalar>
void expect_few_rows_match_definition() {
  // Around one and several rounds of the lanes and of the rows taken together.
  for (const Index n : {1, 3, 4, 7, 8, 15, 16, 17, 64, 70, 130}) {
    for (const Index k : {0, 1, 7, 8, 9, 16, 17, 40}) {
      for (const bool transpose_b : {false, true}) {
        expect_matches_definition<Scalar>(Path::kByRows, {1, n, k, false, transpose_b});
        expect_matches_definition<Scalar>(Path::kByRows, {2, n, k, true, transpose_b, -2, 0.25, 3});
      }
    }
  }
}

TEST(GemmByRows, MatchesTheDefinition) {
  expect_all_match_definition<float>(Path::kByRows);
  expect_all_match_definition<double>(Path::kByRows);
  expect_few_rows_match_definition<float>();
  expect_few_rows_match_definition<double>();
  expect_empty_products_are_right<float>(Path::kByRows);
}

TEST(GemmByRows, BetaZeroOverwritesNan) {
  for (const bool transpose_b : {false, true}) {
    const Problem p{1, 21, 5, false, transpose_b};
    Matrices<float> data(p);
    std::fill(data.c.begin(), data.c.end(), std::numeric_limits<float>::quiet_NaN());
    kernels::gemm_by_rows(data.product(p));
    for (const float v : data.c) EXPECT_TRUE(std::isfinite(v));
  }
}

template <typename Scalar>
void expect_equal_bits_for_all_threads(const Problem& p) {
  Matrices<Scalar> one(p);
  const std::vector<double> expected = naive(p, one);
  gemm(one.product(p), 1);
  for (const int threads : {2, 3}) {
    Matrices<Scalar> many(p);
    gemm(many.product(p), threads);
    ASSERT_EQ(one.c, many.c) << threads << " threads, " << p.str();
  }
  Matrices<Scalar> whole(p);
  gemm(whole.product(p), 0);
  const double tolerance =
      4 * std::numeric_limits<Scalar>::epsilon() * static_cast<double>(p.k + 4);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(one.c[i]), expected[i], tolerance) << p.str();
    ASSERT_NEAR(static_cast<double>(whole.c[i]), expected[i], tolerance) << p.str();
  }
}

TEST(Gemm, BitsAreTheSameForEveryNumberOfThreads) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Problem p{200, 330, 147, ta, tb, 0.5, 2.0, 1};  // several chunks of rows, one not full
      expect_equal_bits_for_all_threads<float>(p);
      expect_equal_bits_for_all_threads<double>(p);
    }
  }
}

}  // namespace
}  // namespace tapehead
