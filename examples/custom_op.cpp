// An op that the library does not have, written, checked and used outside of it: swish with a
// learned slope b.
//
//   y  = x s,  s = 1 / (1 + exp(-b x))
//   dx = dy (s + b x s (1 - s))
//   db = sum_i dy_i x_i^2 s_i (1 - s_i)
//
// docs/adding_an_op.md explains it step by step.

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "autograd/gradcheck.h"
#include "autograd/ops/mean.h"
#include "autograd/ops/operators.h"
#include "autograd/ops/square.h"
#include "autograd/tape.h"
#include "base/error.h"

namespace {

using tapehead::Index;
using tapehead::Tape;
using tapehead::Tensor;
using tapehead::Var;

template <typename Scalar>
Scalar sigmoid(Scalar x) {
  return 1 / (1 + std::exp(-x));
}

// 1. The numbers forward.
template <typename Scalar>
Tensor<Scalar> swish_forward(Tape<Scalar>& tape, const Tensor<Scalar>& x, Scalar b) {
  Tensor<Scalar> y = tape.allocate(x.shape());
  for (Index i = 0; i < x.size(); ++i) y[i] = x[i] * sigmoid(b * x[i]);
  return y;
}

// 2. The numbers backward, one function for each input.
template <typename Scalar>
Tensor<Scalar> swish_backward_x(Tape<Scalar>& tape, const Tensor<Scalar>& x, Scalar b,
                                const Tensor<Scalar>& dy) {
  Tensor<Scalar> dx = tape.allocate(x.shape());
  for (Index i = 0; i < x.size(); ++i) {
    const Scalar s = sigmoid(b * x[i]);
    dx[i] = dy[i] * (s + b * x[i] * s * (1 - s));
  }
  return dx;
}

template <typename Scalar>
Scalar swish_backward_b(const Tensor<Scalar>& x, Scalar b, const Tensor<Scalar>& dy) {
  Scalar db = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const Scalar s = sigmoid(b * x[i]);
    db += dy[i] * x[i] * x[i] * s * (1 - s);
  }
  return db;
}

// 3. The op: check, compute, record.
template <typename Scalar>
Var<Scalar> swish(const Var<Scalar>& x, const Var<Scalar>& slope) {
  if (slope.rank() != 0) {
    throw tapehead::ShapeError(
        fmt::format("swish: slope has shape {}; a scalar, shape (), is "
                    "needed",
                    slope.shape().str()));
  }
  Tensor<Scalar> y = swish_forward(x.tape(), x.value(), slope.value().item());
  return x.tape().record_custom(
      "swish", y, {x, slope},
      [x, slope](Tape<Scalar>& tape, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
        const Scalar b = slope.value().item();
        if (x.requires_grad()) tape.add_grad(x, swish_backward_x(tape, x.value(), b, dy));
        if (slope.requires_grad()) {
          tape.add_grad(slope, Tensor<Scalar>::scalar(swish_backward_b(x.value(), b, dy)));
        }
      });
}

// 4. The check: the same one that the library's own ops must pass. Returns false if a case fails.
bool check() {
  const auto build = [](auto in) { return swish(in[0], in[1]); };
  const auto slope = [](double b) { return Tensor<double>::scalar(b); };
  const std::vector<tapehead::GradCase> cases = {
      tapehead::grad_case("vector", {tapehead::randn({7}, 1), slope(1.0)}, build),
      tapehead::grad_case("matrix", {tapehead::randn({3, 5}, 2), slope(-0.7)}, build),
      tapehead::grad_case("saturated", {tapehead::randn({6}, 3, 8.0), slope(3.0)}, build),
      tapehead::grad_case("empty", {tapehead::randn({0}, 4), slope(1.0)}, build)
          .expecting_zero_gradient(),
  };
  bool passed = true;
  fmt::print("{:<12} {:>12}   {}\n", "swish", "largest error", "verdict");
  for (const auto& c : cases) {
    const tapehead::GradReport report = tapehead::check_gradients("swish", c);
    fmt::print("{:<12} {:>13.1e}   {}\n", c.name, report.max_error,
               report.passed ? "passed" : report.message);
    passed = passed && report.passed;
  }
  return passed;
}

// 5. A use: gradient descent finds the slope that made the data. Returns what it found.
double fit_slope(double true_slope) {
  constexpr int kSteps = 200;
  constexpr double kLearningRate = 2.0;
  const Tensor<double> x = tapehead::randn({64}, 5);
  double found = 0;
  Tape<double> tape;
  const Tensor<double> wanted = swish_forward(tape, x, true_slope);
  for (int step = 0; step < kSteps; ++step) {
    tape.clear();
    const auto slope = tape.leaf(Tensor<double>::scalar(found), true);
    tape.backward(mean(square(swish(tape.leaf(x), slope) - tape.leaf(wanted))));
    found -= kLearningRate * slope.grad().item();
  }
  return found;
}

}  // namespace

int main() {
  constexpr double kTrueSlope = 1.7;
  constexpr double kCloseEnough = 1e-3;
  const bool passed = check();
  const double found = fit_slope(kTrueSlope);
  fmt::print("\nslope that made the data: {}   found by gradient descent: {:.6f}\n", kTrueSlope,
             found);
  return passed && std::abs(found - kTrueSlope) < kCloseEnough ? 0 : 1;
}
