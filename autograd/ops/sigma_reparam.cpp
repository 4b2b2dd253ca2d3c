#include "autograd/ops/sigma_reparam.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/check.h"
#include "autograd/kernels/reduce.h"

namespace tapehead {

namespace {

constexpr int kMostIterations = 500;

// The largest singular value of a matrix, and its vectors.
template <typename Scalar>
struct TopSingular {
  Tensor<Scalar> u, v;
  Scalar sigma = 0;
};

template <typename Scalar>
Scalar length_of(const Tensor<Scalar>& x) {
  return std::sqrt(kernels::dot(x.data(), x.data(), x.size()));
}

template <typename Scalar>
void divide(Tensor<Scalar>& x, Scalar divisor) {
  for (Index i = 0; i < x.size(); ++i) x[i] /= divisor;
}

// v = the longest row of w
template <typename Scalar>
void start_with_longest_row(const Tensor<Scalar>& w, Tensor<Scalar>& v) {
  const Index columns = w.dim(1);
  Scalar longest = -1;
  for (Index r = 0; r < w.dim(0); ++r) {
    const Scalar* row = w.data() + r * columns;
    const Scalar square = kernels::dot(row, row, columns);
    if (square <= longest) continue;
    longest = square;
    std::copy_n(row, columns, v.data());
  }
}

// u = w v
template <typename Scalar>
void apply(const Tensor<Scalar>& w, const Tensor<Scalar>& v, Tensor<Scalar>& u) {
  for (Index r = 0; r < w.dim(0); ++r) {
    u[r] = kernels::dot(w.data() + r * v.size(), v.data(), v.size());
  }
}

// v = w^T u
template <typename Scalar>
void apply_transposed(const Tensor<Scalar>& w, const Tensor<Scalar>& u, Tensor<Scalar>& v) {
  v.fill(Scalar(0));
  for (Index r = 0; r < w.dim(0); ++r) {
    const Scalar* row = w.data() + r * v.size();
    for (Index c = 0; c < v.size(); ++c) v[c] += u[r] * row[c];
  }
}

template <typename Scalar>
TopSingular<Scalar> power_iteration(Tape<Scalar>& tape, const Tensor<Scalar>& w) {
  // Close to rounding, so that u and v are those of the limit.
  const Scalar still = std::pow(std::numeric_limits<Scalar>::epsilon(), Scalar(2) / Scalar(3));
  TopSingular<Scalar> top{tape.allocate_zeros({w.dim(0)}), tape.allocate_zeros({w.dim(1)})};
  Tensor<Scalar> next = tape.allocate({w.dim(1)});
  start_with_longest_row(w, top.v);
  if (w.size() == 0 || length_of(top.v) == Scalar(0)) return top;
  divide(top.v, length_of(top.v));
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    apply(w, top.v, top.u);
    divide(top.u, length_of(top.u));
    apply_transposed(w, top.u, next);
    divide(next, length_of(next));
    Scalar moved = 0;
    for (Index c = 0; c < next.size(); ++c) moved += (next[c] - top.v[c]) * (next[c] - top.v[c]);
    std::swap(top.v, next);
    if (std::sqrt(moved) <= still) break;
  }
  apply(w, top.v, top.u);
  top.sigma = length_of(top.u);
  divide(top.u, top.sigma);
  return top;
}

// share = sum(dy w) / sigma
template <typename Scalar>
Tensor<Scalar> weight_gradient(Tape<Scalar>& tape, const TopSingular<Scalar>& top, Scalar gamma,
                               Scalar share, const Tensor<Scalar>& dy) {
  Tensor<Scalar> dw = tape.allocate(dy.shape());
  const Scalar factor = gamma / top.sigma;
  const Index columns = top.v.size();
  for (Index r = 0; r < top.u.size(); ++r) {
    for (Index c = 0; c < columns; ++c) {
      const Index at = r * columns + c;
      dw[at] = factor * (dy[at] - share * top.u[r] * top.v[c]);
    }
  }
  return dw;
}

}  // namespace

template <typename Scalar>
Var<Scalar> sigma_reparam(const Var<Scalar>& weight, const Var<Scalar>& gamma) {
  check_rank("sigma_reparam", "weight", weight.shape(), 2);
  check_rank("sigma_reparam", "gamma", gamma.shape(), 0);
  Tape<Scalar>& tape = weight.tape();
  const TopSingular<Scalar> top = power_iteration(tape, weight.value());
  if (top.sigma == Scalar(0)) return tape.leaf(tape.allocate_zeros(weight.shape()));
  const Scalar factor = gamma.value()[0] / top.sigma;
  Tensor<Scalar> y = tape.allocate(weight.shape());
  for (Index i = 0; i < y.size(); ++i) y[i] = factor * weight.value()[i];
  return tape.record(
      Op::sigma_reparam, y, {weight, gamma},
      [weight, gamma, top](Tape<Scalar>& t, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
        const Scalar share = kernels::dot(dy.data(), weight.value().data(), dy.size()) / top.sigma;
        t.accumulate(gamma, [&](Scalar* d_gamma) { *d_gamma += share; });
        if (!weight.requires_grad()) return;
        t.add_grad(weight, weight_gradient(t, top, gamma.value()[0], share, dy));
      });
}

template Var<float> sigma_reparam(const Var<float>&, const Var<float>&);
template Var<double> sigma_reparam(const Var<double>&, const Var<double>&);

}  // namespace tapehead
