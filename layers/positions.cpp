#include "layers/positions.h"

#include <cmath>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/error.h"
#include "autograd/ops/add.h"
#include "autograd/ops/slice.h"

namespace tapehead {

template <typename Scalar>
Tensor<Scalar> sinusoidal_positions(Index n, Index width, Index first, double base) {
  Tensor<Scalar> table({n, width});
  for (Index p = 0; p < n; ++p) {
    for (Index c = 0; c < width; ++c) {
      const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(width);
      const double angle = static_cast<double>(first + p) / std::pow(base, exponent);
      table[p * width + c] = static_cast<Scalar>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return table;
}

template <typename Scalar>
SinusoidalPositions<Scalar>::SinusoidalPositions(Index expected_length, Index width)
    : table_(sinusoidal_positions<Scalar>(expected_length, width)) {}

template <typename Scalar>
Var<Scalar> SinusoidalPositions<Scalar>::forward(const Var<Scalar>& x, Index first) const {
  const Index width = table_.shape()[1];
  check_rank("sinusoidal positions", "x", x.shape(), 3);
  check_last_dim("sinusoidal positions", "x", x.shape(), width, "the width of the positions");
  const Index n = x.shape()[1];
  const bool known = first >= 0 && first + n <= table_.shape()[0];
  const Tensor<Scalar> rows = known ? table_.view(first * width, {n, width})
                                    : sinusoidal_positions<Scalar>(n, width, first);
  return add(x, x.tape().leaf(rows));
}

template <typename Scalar>
LearnedPositions<Scalar>::LearnedPositions(const Builder<Scalar>& at, Index max_length, Index width)
    : weight_(&at.embedding("weight", max_length, width)) {}

template <typename Scalar>
Var<Scalar> LearnedPositions<Scalar>::forward(const Var<Scalar>& x, Index first) const {
  check_rank("learned positions", "x", x.shape(), 3);
  const Index end = first + x.shape()[1];
  const Index table = weight_->shape()[0];
  if (first < 0 || end > table) {
    throw ShapeError(fmt::format(
        "learned positions: the sequence reaches length {}, but the table '{}' ends at {}; train "
        "with a longer `length`, or use sinusoidal positions",
        end, weight_->name(), table));
  }
  Var<Scalar> rows = x.tape().parameter(*weight_);
  if (first != 0 || end != table) rows = slice(rows, 0, first, end);
  return add(x, rows);
}

template Tensor<float> sinusoidal_positions(Index, Index, Index, double);
template Tensor<double> sinusoidal_positions(Index, Index, Index, double);
template class SinusoidalPositions<float>;
template class SinusoidalPositions<double>;
template class LearnedPositions<float>;
template class LearnedPositions<double>;

}  // namespace tapehead
