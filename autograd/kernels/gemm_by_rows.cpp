#include "autograd/kernels/gemm_by_rows.h"

#include <algorithm>
#include <cstring>

#include "autograd/kernels/registers.h"

namespace tapehead::kernels {

namespace {

// Rows of b taken at a time: independent sums hide the latency of an addition, and the numbers in
// four registers are added up side by side.
constexpr Index kDotRows = 4;
template <typename Scalar>
using Four [[gnu::vector_size(4 * sizeof(Scalar))]] = Scalar;

// A register's numbers added up to four.
template <typename Scalar>
[[gnu::always_inline]] inline void fold(const Register<Scalar>& x, Four<Scalar>& to) {
  if constexpr (kLanes<Scalar> >= 4) {
    std::memcpy(&to, &x, sizeof(to));
    for (std::size_t at = sizeof(to); at < kRegisterBytes; at += sizeof(to)) {
      Four<Scalar> next;
      std::memcpy(&next, reinterpret_cast<const char*>(&x) + at, sizeof(next));
      to += next;
    }
  } else {
    to = Four<Scalar>{};
    std::memcpy(&to, &x, kRegisterBytes);
  }
}

// sums[r] = the sum of the numbers of x[r]: a transposition turns it into three additions.
template <typename Scalar>
[[gnu::always_inline]] inline void add_across(const Register<Scalar> (&x)[kDotRows],
                                              Four<Scalar>& sums) {
  Four<Scalar> row[kDotRows];
  for (Index r = 0; r < kDotRows; ++r) fold<Scalar>(x[r], row[r]);
  const Four<Scalar> low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
  const Four<Scalar> low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  const Four<Scalar> high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
  const Four<Scalar> high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  const Four<Scalar> pairs01 = low01 + high01, pairs23 = low23 + high23;
  sums = __builtin_shufflevector(pairs01, pairs23, 0, 1, 4, 5) +
         __builtin_shufflevector(pairs01, pairs23, 2, 3, 6, 7);
}

// dots[r] = <x, row r of b>, for the rows from b on: four, or fewer at the end of b, where the last
// one stands for those that are missing.
template <typename Scalar>
[[gnu::always_inline]] inline void dot_rows(const Scalar* x, const Scalar* b, Index ldb, Index rows,
                                            Index n, Four<Scalar>& dots) {
  const Scalar* row[kDotRows];
  for (Index r = 0; r < kDotRows; ++r) row[r] = b + std::min(r, rows - 1) * ldb;
  Register<Scalar> sums[kDotRows] = {};
  Index i = 0;
  for (; i + kLanes<Scalar> <= n; i += kLanes<Scalar>) {
    Register<Scalar> own, other;
    std::memcpy(&own, x + i, kRegisterBytes);
#pragma GCC unroll 4
    for (Index r = 0; r < kDotRows; ++r) {
      std::memcpy(&other, row[r] + i, kRegisterBytes);
      __builtin_prefetch(row[r] + i + kDotRows * ldb);  // for the next four rows
      sums[r] += own * other;
    }
  }
  add_across<Scalar>(sums, dots);
  for (; i < n; ++i) {
    for (Index r = 0; r < kDotRows; ++r) dots[r] += x[i] * row[r][i];
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
  // The same for as many numbers as a vector has.
  template <typename Numbers>
  [[gnu::always_inline]] void store_all(Index j, const Numbers& sums) const {
    Numbers result = p.alpha * sums;
    if (p.beta != Scalar(0)) {
      Numbers before;
      std::memcpy(&before, c + j, sizeof(before));
      result += p.beta * before;
    }
    std::memcpy(c + j, &result, sizeof(result));
  }
};

// op(b) is stored row by row, and so is a: a dot product for each number of c.
template <typename Scalar>
void by_dot_products(const RowProduct<Scalar>& row) {
  const Gemm<Scalar>& p = row.p;
  Four<Scalar> dots;
  for (Index j = 0; j < p.n; j += kDotRows) {
    const Index rows = std::min(kDotRows, p.n - j);
    dot_rows<Scalar>(row.a, p.b + j * p.ldb, p.ldb, rows, p.k, dots);
    if (rows == kDotRows) {
      row.store_all(j, dots);
    } else {
      for (Index r = 0; r < rows; ++r) row.store(j + r, dots[r]);
    }
  }
}

// op(b) is stored column by column: c is the sum of b's rows, each times a number of a. `registers`
// registers of c at a time, over all of b's rows; the even and the odd rows are summed apart, which
// hides the latency of an addition.
template <Index registers, typename Scalar>
void sum_rows(const RowProduct<Scalar>& row, Index j) {
  const Gemm<Scalar>& p = row.p;
  Register<Scalar> sums[registers] = {}, odd[registers] = {};
  const auto add_row = [&](Index i, Register<Scalar>* to) {
    const Scalar factor = row.a[i * row.a_stride];
#pragma GCC unroll 4
    for (Index r = 0; r < registers; ++r) {
      Register<Scalar> numbers;
      std::memcpy(&numbers, p.b + i * p.ldb + j + r * kLanes<Scalar>, kRegisterBytes);
      to[r] += factor * numbers;
    }
  };
  Index i = 0;
  for (; i + 2 <= p.k; i += 2) {
    add_row(i, sums);
    add_row(i + 1, odd);
  }
  if (i < p.k) add_row(i, sums);
  for (Index r = 0; r < registers; ++r) {
    const Register<Scalar> sum = sums[r] + odd[r];
    row.store_all(j + r * kLanes<Scalar>, sum);
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
  const Index n = row.p.n;
  Index j = 0;
  for (; j + 4 * kLanes<Scalar> <= n; j += 4 * kLanes<Scalar>) sum_rows<4>(row, j);
  for (; j + 2 * kLanes<Scalar> <= n; j += 2 * kLanes<Scalar>) sum_rows<2>(row, j);
  for (; j + kLanes<Scalar> <= n; j += kLanes<Scalar>) sum_rows<1>(row, j);
  number_by_number(row, j);
}

}  // namespace

template <typename Scalar>
bool suits_gemm_by_rows(const Gemm<Scalar>& p) {
  // Measured: tiles are faster from 3 rows on, and by far from 8; below, packing b does not pay.
  constexpr Index kMostRows = 2;
  const bool in_place = !(p.transpose_a && p.transpose_b);
  return in_place && p.m <= kMostRows;
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
