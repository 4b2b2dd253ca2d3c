#include "autograd/kernels/vector_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

namespace tapehead::kernels {

namespace {

// Multiples of every SIMD width; the first is long enough to hide the latency of one polynomial,
// the second shorter, for the rows of small attention.
constexpr Index kMapBlock = 32;
constexpr Index kShortMapBlock = 16;

// Applies f to fewer numbers than a block has, through a padded one, and so through the same
// instructions.
template <Index block, typename Scalar, typename F>
void map_tail(const Scalar* x, Scalar* y, Index n, F f) {
  using Block = Eigen::Array<Scalar, block, 1>;
  Block tail = Block::Ones();  // inside every function's domain
  std::copy(x, x + n, tail.data());
  const Block result = f(tail);
  std::copy(result.data(), result.data() + n, y);
}

// Applies f to all numbers.
template <typename Scalar, typename F>
void map_blocks(const Scalar* x, Scalar* y, Index n, F f) {
  using Block = Eigen::Array<Scalar, kMapBlock, 1>;
  Index i = 0;
  for (; i + kMapBlock <= n; i += kMapBlock) {
    Eigen::Map<Block> out(y + i);
    out = f(Eigen::Map<const Block>(x + i));
  }
  if (i == n) return;
  if (n - i <= kShortMapBlock) return map_tail<kShortMapBlock>(x + i, y + i, n - i, f);
  map_tail<kMapBlock>(x + i, y + i, n - i, f);
}

}  // namespace

template <typename Scalar>
void exp(const Scalar* x, Scalar* y, Index n) {
  const Scalar smallest = std::log(std::numeric_limits<Scalar>::min());
  map_blocks(x, y, n, [smallest](const auto& b) {
    // Eigen's exp() answers with a denormal number even for -inf, where a masked weight must be 0.
    Eigen::Array<Scalar, std::decay_t<decltype(b)>::SizeAtCompileTime, 1> result = b.exp();
    for (Index i = 0; i < b.size(); ++i) result[i] = b[i] < smallest ? Scalar(0) : result[i];
    return result;
  });
}

template <typename Scalar>
void log(const Scalar* x, Scalar* y, Index n) {
  map_blocks(x, y, n, [](const auto& b) { return b.log(); });
}

template <typename Scalar>
void sqrt(const Scalar* x, Scalar* y, Index n) {
  // Not Eigen's: with AVX-512 it is an approximation, off by a unit in the last place and NaN at
  // infinity. A compiler makes of this loop the exact vector instruction.
  for (Index i = 0; i < n; ++i) y[i] = std::sqrt(x[i]);
}

template <typename Scalar>
void tanh(const Scalar* x, Scalar* y, Index n) {
  map_blocks(x, y, n, [](const auto& b) { return b.tanh(); });
}

template <typename Scalar>
void erf(const Scalar* x, Scalar* y, Index n) {
  map_blocks(x, y, n, [](const auto& b) { return b.erf(); });
}

template <typename Scalar>
void sigmoid(const Scalar* x, Scalar* y, Index n) {
  map_blocks(x, y, n, [](const auto& b) { return b.logistic(); });
}

template void exp(const float*, float*, Index);
template void exp(const double*, double*, Index);
template void log(const float*, float*, Index);
template void log(const double*, double*, Index);
template void sqrt(const float*, float*, Index);
template void sqrt(const double*, double*, Index);
template void tanh(const float*, float*, Index);
template void tanh(const double*, double*, Index);
template void erf(const float*, float*, Index);
template void erf(const double*, double*, Index);
template void sigmoid(const float*, float*, Index);
template void sigmoid(const double*, double*, Index);

}  // namespace tapehead::kernels
