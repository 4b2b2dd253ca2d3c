#include "autograd/ops/rope.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "autograd/check.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

// Rotates the heads of one time step by the angles of `table`, or back with `direction` -1.
template <typename Scalar>
void rotate_row(const Scalar* x, const Scalar* table, Index width, Index d, RopePairs pairs,
                Scalar direction, Scalar* y) {
  const Index step = pairs == RopePairs::kNeighbours ? 2 : 1;
  const Index partner = pairs == RopePairs::kNeighbours ? 1 : d / 2;
  for (Index head = 0; head < width; head += d) {
    for (Index i = 0; i < d / 2; ++i) {
      const Index a = head + i * step, b = a + partner;
      const Scalar cos = table[2 * i], sin = direction * table[2 * i + 1];
      const Scalar xa = x[a], xb = x[b];
      y[a] = xa * cos - xb * sin;
      y[b] = xa * sin + xb * cos;
    }
  }
}

template <typename Scalar>
Tensor<Scalar> rotated(Tape<Scalar>& tape, const Tensor<Scalar>& x, const Tensor<Scalar>& table,
                       RopePairs pairs, Scalar direction) {
  const Index n = x.dim(1), width = x.dim(2), d = table.dim(1);
  Tensor<Scalar> y = tape.allocate(x.shape());
  const Index chunk = std::max(Index{1}, kElementsPerChunk / std::max(width, Index{1}));
  parallel_chunks(tape.threads(), x.dim(0) * n, chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      rotate_row(x.data() + row * width, table.data() + row % n * d, width, d, pairs, direction,
                 y.data() + row * width);
    }
  });
  return y;
}

}  // namespace

template <typename Scalar>
Tensor<Scalar> rope_table(Index n, Index d, Index first, double base) {
  if (d < 2 || d % 2 != 0) {
    throw ValueError(fmt::format(
        "rope: heads of width {}; pairs are rotated, so the width must be even and at least 2", d));
  }
  Tensor<Scalar> table({n, d});
  for (Index i = 0; i < d / 2; ++i) {
    const double theta = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(d));
    for (Index p = 0; p < n; ++p) {
      const double angle = static_cast<double>(first + p) * theta;
      table[p * d + 2 * i] = static_cast<Scalar>(std::cos(angle));
      table[p * d + 2 * i + 1] = static_cast<Scalar>(std::sin(angle));
    }
  }
  return table;
}

template <typename Scalar>
Var<Scalar> rope(const Var<Scalar>& x, const Tensor<Scalar>& table, RopePairs pairs) {
  check_rank("rope", "x", x.shape(), 3);
  check_rank("rope", "table", table.shape(), 2);
  if (table.dim(0) != x.dim(1) || table.dim(1) < 2 || x.dim(2) % table.dim(1) != 0) {
    throw ShapeError(fmt::format(
        "rope: x has shape {}, the table {}; it must have a row for each of x's time steps and "
        "the width of one of x's heads",
        x.shape().str(), table.shape().str()));
  }
  return x.tape().record(
      Op::rope, rotated(x.tape(), x.value(), table, pairs, Scalar(1)), {x},
      [x, table, pairs](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        t.add_grad(x, rotated(t, dy, table, pairs, Scalar(-1)));
      });
}

template Tensor<float> rope_table(Index, Index, Index, double);
template Tensor<double> rope_table(Index, Index, Index, double);
template Var<float> rope(const Var<float>&, const Tensor<float>&, RopePairs);
template Var<double> rope(const Var<double>&, const Tensor<double>&, RopePairs);

}  // namespace tapehead
