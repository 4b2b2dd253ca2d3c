#pragma once

#include "autograd/tape.h"
#include "layers/builder.h"

namespace tapehead {

/// Sinusoidal positions (Vaswani et al. 2017, section 3.5):
///
///   table[p, 2i] = sin(p / base^(2i/width))     table[p, 2i+1] = cos(p / base^(2i/width))
///
/// for positions first, first + 1, ..., first + n - 1, which may be any. With an odd width the last
/// column is a sine. Shape (n, width).
template <typename Scalar>
Tensor<Scalar> sinusoidal_positions(Index n, Index width, Index first = 0, double base = 10000.0);

/// Adds sinusoidal positions. x: (batch, n, width). No parameters; works for any position.
template <typename Scalar>
class SinusoidalPositions {
 public:
  /// Positions below `expected_length` are computed once; those beyond, when they are needed.
  SinusoidalPositions(Index expected_length, Index width);
  /// `first` is the position of x's first time step.
  Var<Scalar> forward(const Var<Scalar>& x, Index first = 0) const;

 private:
  Tensor<Scalar> table_;
};

/// Adds a learned vector for each position. x: (batch, n, width).
/// Parameters: weight (max_length, width).
template <typename Scalar>
class LearnedPositions {
 public:
  LearnedPositions(const Builder<Scalar>& at, Index max_length, Index width);
  /// Throws ShapeError, naming both lengths, past the end of the table.
  Var<Scalar> forward(const Var<Scalar>& x, Index first = 0) const;

 private:
  const Parameter<Scalar>* weight_;
};

}  // namespace tapehead
