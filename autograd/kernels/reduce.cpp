#include "autograd/kernels/reduce.h"

#include <limits>

#include <Eigen/Core>

namespace tapehead::kernels {

namespace {

// Enough to fill two AVX registers of floats, so that one addition need not wait for the last.
constexpr Index kSumLanes = 16;

template <typename Scalar>
using Lanes = Eigen::Array<Scalar, kSumLanes, 1>;
template <typename Scalar>
using LanesAt = Eigen::Map<const Lanes<Scalar>>;

// Folds term(i) over [0, n) in lanes: `many(i)` gives the terms of kSumLanes indices from i on,
// `one(i)` that of one.
template <typename Scalar, typename Many, typename One>
Scalar sum_terms(Index n, const Many& many, const One& one) {
  Scalar result = 0;
  Index i = 0;
  if (n >= kSumLanes) {
    Lanes<Scalar> lanes = many(0);
    for (i = kSumLanes; i + kSumLanes <= n; i += kSumLanes) lanes += many(i);
    result = lanes.sum();
  }
  for (; i < n; ++i) result += one(i);
  return result;
}

}  // namespace

template <typename Scalar>
Scalar sum(const Scalar* x, Index n) {
  return sum_terms<Scalar>(
      n, [x](Index i) { return LanesAt<Scalar>(x + i); }, [x](Index i) { return x[i]; });
}

template <typename Scalar>
Scalar dot(const Scalar* a, const Scalar* b, Index n) {
  return sum_terms<Scalar>(
      n,
      [a, b](Index i) -> Lanes<Scalar> { return LanesAt<Scalar>(a + i) * LanesAt<Scalar>(b + i); },
      [a, b](Index i) { return a[i] * b[i]; });
}

template <typename Scalar>
Scalar dot_centered(const Scalar* a, const Scalar* b, Scalar center, Index n) {
  return sum_terms<Scalar>(
      n,
      [a, b, center](Index i) -> Lanes<Scalar> {
        return LanesAt<Scalar>(a + i) * (LanesAt<Scalar>(b + i) - center);
      },
      [a, b, center](Index i) { return a[i] * (b[i] - center); });
}

template <typename Scalar>
Scalar sum_squares_centered(const Scalar* x, Scalar center, Index n) {
  return sum_terms<Scalar>(
      n,
      [x, center](Index i) -> Lanes<Scalar> { return (LanesAt<Scalar>(x + i) - center).square(); },
      [x, center](Index i) { return (x[i] - center) * (x[i] - center); });
}

template <typename Scalar>
Scalar max(const Scalar* x, Index n) {
  Scalar largest = -std::numeric_limits<Scalar>::infinity();
  Index i = 0;
  if (n >= kSumLanes) {
    Lanes<Scalar> lanes = LanesAt<Scalar>(x);
    for (i = kSumLanes; i + kSumLanes <= n; i += kSumLanes)
      lanes = lanes.max(LanesAt<Scalar>(x + i));
    largest = lanes.maxCoeff();
  }
  for (; i < n; ++i) largest = x[i] > largest ? x[i] : largest;
  return largest;
}

template float sum(const float*, Index);
template double sum(const double*, Index);
template float dot(const float*, const float*, Index);
template double dot(const double*, const double*, Index);
template float dot_centered(const float*, const float*, float, Index);
template double dot_centered(const double*, const double*, double, Index);
template float sum_squares_centered(const float*, float, Index);
template double sum_squares_centered(const double*, double, Index);
template float max(const float*, Index);
template double max(const double*, Index);

}  // namespace tapehead::kernels
