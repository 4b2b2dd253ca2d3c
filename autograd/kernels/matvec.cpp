#include "autograd/kernels/matvec.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tapehead::kernels {

namespace {

// What sums are kept in: one AVX-512 register, two of AVX, four of NEON.
constexpr std::size_t kStripBytes = 64;
template <typename Scalar>
using Strip [[gnu::vector_size(kStripBytes)]] = Scalar;
template <typename Scalar>
constexpr Index kStripSize = static_cast<Index>(kStripBytes / sizeof(Scalar));

template <typename Scalar>
Strip<Scalar> load(const Scalar* x) {
  Strip<Scalar> strip;
  std::memcpy(&strip, x, kStripBytes);
  return strip;
}

template <typename Scalar>
Scalar sum_of(const Strip<Scalar>& strip) {
  std::array<Scalar, static_cast<std::size_t>(kStripSize<Scalar>)> x;
  std::memcpy(x.data(), &strip, kStripBytes);
  for (std::size_t half = x.size() / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) x[i] += x[i + half];
  }
  return x[0];
}

// Rows of b taken at a time: independent sums hide the latency of an addition.
constexpr Index kDotRows = 4;

// dots[r] = <x, row r of b>, for the `rows` rows from b on.
template <Index rows, typename Scalar>
void dot_rows(const Scalar* x, const Scalar* b, Index ldb, Index n, Scalar* dots) {
  Strip<Scalar> sums[rows] = {};
  Index i = 0;
  for (; i + kStripSize<Scalar> <= n; i += kStripSize<Scalar>) {
    const Strip<Scalar> own = load(x + i);
    for (Index r = 0; r < rows; ++r) sums[r] += own * load(b + r * ldb + i);
  }
  for (Index r = 0; r < rows; ++r) {
    dots[r] = sum_of<Scalar>(sums[r]);
    for (Index rest = i; rest < n; ++rest) dots[r] += x[rest] * b[r * ldb + rest];
  }
}

template <typename Scalar>
void store(const Gemm<Scalar>& p, Index j, Scalar value) {
  p.c[j] = p.alpha * value + (p.beta == Scalar(0) ? Scalar(0) : p.beta * p.c[j]);
}

// op(b) is stored row by row: a dot product for each number of c.
template <typename Scalar>
void by_dot_products(const Gemm<Scalar>& p) {
  std::array<Scalar, static_cast<std::size_t>(kDotRows)> dots;
  Index j = 0;
  for (; j + kDotRows <= p.n; j += kDotRows) {
    dot_rows<kDotRows>(p.a, p.b + j * p.ldb, p.ldb, p.k, dots.data());
    for (Index r = 0; r < kDotRows; ++r) store(p, j + r, dots[static_cast<std::size_t>(r)]);
  }
  for (; j < p.n; ++j) {
    dot_rows<1>(p.a, p.b + j * p.ldb, p.ldb, p.k, dots.data());
    store(p, j, dots[0]);
  }
}

// op(b) is stored column by column: c is the sum of b's rows, each times a number of a. `strips`
// registers of c at a time, over all of b's rows.
template <Index strips, typename Scalar>
void sum_rows(const Gemm<Scalar>& p, Index j) {
  Strip<Scalar> sums[strips] = {};
  for (Index i = 0; i < p.k; ++i) {
    for (Index s = 0; s < strips; ++s) {
      sums[s] += p.a[i] * load(p.b + i * p.ldb + j + s * kStripSize<Scalar>);
    }
  }
  for (Index s = 0; s < strips; ++s) {
    for (Index l = 0; l < kStripSize<Scalar>; ++l) {
      store(p, j + s * kStripSize<Scalar> + l, sums[s][l]);
    }
  }
}

template <typename Scalar>
void by_sums_of_rows(const Gemm<Scalar>& p) {
  constexpr Index kStripsTogether = 4;
  Index j = 0;
  for (; j + kStripsTogether * kStripSize<Scalar> <= p.n;
       j += kStripsTogether * kStripSize<Scalar>) {
    sum_rows<kStripsTogether>(p, j);
  }
  for (; j + kStripSize<Scalar> <= p.n; j += kStripSize<Scalar>) sum_rows<1>(p, j);
  for (; j < p.n; ++j) {
    Scalar sum = 0;
    for (Index i = 0; i < p.k; ++i) sum += p.a[i] * p.b[i * p.ldb + j];
    store(p, j, sum);
  }
}

}  // namespace

template <typename Scalar>
void matvec(const Gemm<Scalar>& p) {
  if (p.transpose_b) {
    by_dot_products(p);
  } else {
    by_sums_of_rows(p);
  }
}

template void matvec(const Gemm<float>&);
template void matvec(const Gemm<double>&);

}  // namespace tapehead::kernels
