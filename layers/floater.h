#pragma once

#include <span>

#include "autograd/tape.h"
#include "layers/builder.h"
#include "layers/linear.h"

namespace tapehead {

/// FLOATER positions (Liu et al. 2020, section 3): the position vector follows a learned
/// differential equation, so that there is one for any position, fractions included.
///
///   p(0) = start        p'(t) = h(t, p) = W_2 tanh(W_1 p + w t + b_1) + b_2
///
/// Position i stands at t = i * kTimePerPosition. The equation is solved by the classical
/// Runge-Kutta method of order 4 with one step from a whole position to the next, and one shorter
/// step to a fraction; gradients flow through the solver. If h is zero, all positions have the
/// vector `start`.
///
/// Works past the training length: the equation goes on. x: (batch, n, width) -> x plus the
/// vectors. Parameters: start (1, width), fc1.weight (width, width), fc1.bias (width), time
/// (width), fc2.weight (width, width), fc2.bias (width).
template <typename Scalar>
class Floater {
 public:
  static constexpr double kTimePerPosition = 0.1;

  Floater(const Builder<Scalar>& at, Index width);

  /// The vectors (n, width) of n positions >= 0 in ascending order. Throws ValueError, naming the
  /// position, if they are not.
  Var<Scalar> at(Tape<Scalar>& tape, std::span<const double> positions) const;

  /// Adds the vectors of positions first, first + 1, ... With `state`, the vector of position
  /// first - 1 is taken from it (unless first is 0) instead of being computed again, and that of
  /// the last position is left in it.
  Var<Scalar> forward(const Var<Scalar>& x, Index first = 0, Tensor<Scalar>* state = nullptr) const;

 private:
  // h(t, p)
  Var<Scalar> field(double t, const Var<Scalar>& p) const;
  // One step of the solver, from position `from` over `positions` <= 1 positions.
  Var<Scalar> step(double from, double positions, const Var<Scalar>& p) const;

  const Parameter<Scalar>* start_;
  Linear<Scalar> fc1_;
  const Parameter<Scalar>* time_;
  Linear<Scalar> fc2_;
};

}  // namespace tapehead
