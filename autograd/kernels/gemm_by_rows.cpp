#include "autograd/kernels/gemm_by_rows.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tapehead::kernels {

namespace {

// (Functions take and return no vectors by value: how they are passed depends on the CPU, of which
// compilers warn.)
template <typename Scalar, std::size_t bytes>
using Vector [[gnu::vector_size(bytes)]] = Scalar;

// What sums are kept in: one AVX-512 register, two of AVX, four of NEON.
constexpr std::size_t kStripBytes = 64;
template <typename Scalar>
using Strip = Vector<Scalar, kStripBytes>;
template <typename Scalar>
constexpr Index kStripSize = static_cast<Index>(kStripBytes / sizeof(Scalar));

// The sum of the numbers in so many bytes, by adding their halves.
template <typename Scalar, std::size_t bytes>
Scalar sum_of(const char* x) {
  constexpr std::size_t kHalf = bytes / 2;
  if constexpr (kHalf == sizeof(Scalar)) {
    std::array<Scalar, 2> pair;
    std::memcpy(pair.data(), x, bytes);
    return pair[0] + pair[1];
  } else {
    Vector<Scalar, kHalf> low, high;
    std::memcpy(&low, x, kHalf);
    std::memcpy(&high, x + kHalf, kHalf);
    low += high;
    return sum_of<Scalar, kHalf>(reinterpret_cast<const char*>(&low));
  }
}

// Rows of b taken at a time: independent sums hide the latency of an addition.
constexpr Index kDotRows = 4;

// dots[r] = <x, row r of b>, for the `rows` rows from b on.
template <Index rows, typename Scalar>
void dot_rows(const Scalar* x, const Scalar* b, Index ldb, Index n, Scalar* dots) {
  Strip<Scalar> sums[rows] = {};
  Index i = 0;
  for (; i + kStripSize<Scalar> <= n; i += kStripSize<Scalar>) {
    Strip<Scalar> own, other;
    std::memcpy(&own, x + i, kStripBytes);
    for (Index r = 0; r < rows; ++r) {
      std::memcpy(&other, b + r * ldb + i, kStripBytes);
      sums[r] += own * other;
    }
  }
  for (Index r = 0; r < rows; ++r) {
    dots[r] = sum_of<Scalar, kStripBytes>(reinterpret_cast<const char*>(&sums[r]));
    for (Index rest = i; rest < n; ++rest) dots[r] += x[rest] * b[r * ldb + rest];
  }
}

// One row of the product: c_j = alpha * sum_i a_i op(b)_ij + beta * c_j, with a's numbers a_stride
// apart.
template <typename Scalar>
struct RowProduct {
  const Gemm<Scalar>& p;
  const Scalar* a;
  Index a_stride;
  Scalar* c;

  void store(Index j, Scalar sum) const {
    c[j] = p.alpha * sum + (p.beta == Scalar(0) ? Scalar(0) : p.beta * c[j]);
  }
};

// op(b) is stored row by row, and so is a: a dot product for each number of c.
template <typename Scalar>
void by_dot_products(const RowProduct<Scalar>& row) {
  const Gemm<Scalar>& p = row.p;
  std::array<Scalar, static_cast<std::size_t>(kDotRows)> dots;
  Index j = 0;
  for (; j + kDotRows <= p.n; j += kDotRows) {
    dot_rows<kDotRows>(row.a, p.b + j * p.ldb, p.ldb, p.k, dots.data());
    for (Index r = 0; r < kDotRows; ++r) row.store(j + r, dots[static_cast<std::size_t>(r)]);
  }
  for (; j < p.n; ++j) {
    dot_rows<1>(row.a, p.b + j * p.ldb, p.ldb, p.k, dots.data());
    row.store(j, dots[0]);
  }
}

// op(b) is stored column by column: c is the sum of b's rows, each times a number of a. `strips`
// registers of c at a time, over all of b's rows; the even and the odd rows are summed apart, which
// hides the latency of an addition.
template <Index strips, typename Scalar>
void sum_rows(const RowProduct<Scalar>& row, Index j) {
  const Gemm<Scalar>& p = row.p;
  Strip<Scalar> sums[strips] = {}, odd[strips] = {};
  const auto add_row = [&](Index i, Strip<Scalar>* to) {
    const Scalar factor = row.a[i * row.a_stride];
    Strip<Scalar> strip;
    for (Index s = 0; s < strips; ++s) {
      std::memcpy(&strip, p.b + i * p.ldb + j + s * kStripSize<Scalar>, kStripBytes);
      to[s] += factor * strip;
    }
  };
  Index i = 0;
  for (; i + 2 <= p.k; i += 2) {
    add_row(i, sums);
    add_row(i + 1, odd);
  }
  if (i < p.k) add_row(i, sums);
  for (Index s = 0; s < strips; ++s) {
    sums[s] += odd[s];
    for (Index l = 0; l < kStripSize<Scalar>; ++l) {
      row.store(j + s * kStripSize<Scalar> + l, sums[s][l]);
    }
  }
}

// The same for any layout, number by number.
template <typename Scalar>
void number_by_number(const RowProduct<Scalar>& row, Index j) {
  const Gemm<Scalar>& p = row.p;
  for (; j < p.n; ++j) {
    Scalar sum = 0;
    for (Index i = 0; i < p.k; ++i) {
      sum += row.a[i * row.a_stride] * p.b[p.transpose_b ? j * p.ldb + i : i * p.ldb + j];
    }
    row.store(j, sum);
  }
}

template <typename Scalar>
void by_sums_of_rows(const RowProduct<Scalar>& row) {
  constexpr Index kStrip = kStripSize<Scalar>;
  const Index n = row.p.n;
  Index j = 0;
  for (; j + 4 * kStrip <= n; j += 4 * kStrip) sum_rows<4>(row, j);
  for (; j + 2 * kStrip <= n; j += 2 * kStrip) sum_rows<2>(row, j);
  for (; j + kStrip <= n; j += kStrip) sum_rows<1>(row, j);
  number_by_number(row, j);
}

}  // namespace

template <typename Scalar>
bool suits_gemm_by_rows(const Gemm<Scalar>& p) {
  // A library's call costs about as much as this many multiply-adds.
  constexpr Index kSmall = 2048;
  const bool in_place = !(p.transpose_a && p.transpose_b);
  return in_place && (p.m == 1 || p.m * p.n * p.k <= kSmall);
}

template <typename Scalar>
void gemm_by_rows(const Gemm<Scalar>& p) {
  for (Index i = 0; i < p.m; ++i) {
    const RowProduct<Scalar> row{p, p.transpose_a ? p.a + i : p.a + i * p.lda,
                                 p.transpose_a ? p.lda : 1, p.c + i * p.ldc};
    if (!p.transpose_b) {
      by_sums_of_rows(row);
    } else if (!p.transpose_a) {
      by_dot_products(row);
    } else {
      number_by_number(row, 0);
    }
  }
}

template void gemm_by_rows(const Gemm<float>&);
template void gemm_by_rows(const Gemm<double>&);
template bool suits_gemm_by_rows(const Gemm<float>&);
template bool suits_gemm_by_rows(const Gemm<double>&);

}  // namespace tapehead::kernels
