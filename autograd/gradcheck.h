#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "autograd/op.h"
#include "autograd/tape.h"
#include "autograd/tensor.h"

namespace tapehead {

/// One situation in which an op (or a layer, or any function of Vars) is checked.
struct GradCase {
  template <typename Scalar>
  using Build = std::function<Var<Scalar>(std::span<const Var<Scalar>>)>;

  std::string name;
  std::vector<Tensor<double>> inputs;  ///< every number of every input is perturbed
  Build<double> build;
  Build<float> build_float;
  /// The gradient is all but zero by nature (a wholly masked softmax, say). Without this mark such
  /// a case is refused, since it could not tell a right backward from a missing one.
  bool expects_zero_gradient = false;
  /// Largest relative difference between the float and the double result that is rounding alone.
  double float_tolerance = 1e-5;

  GradCase expecting_zero_gradient() && {
    expects_zero_gradient = true;
    return std::move(*this);
  }
  GradCase with_float_tolerance(double tolerance) && {
    float_tolerance = tolerance;
    return std::move(*this);
  }
};

/// A case from a function that works for both scalars:
///
///     grad_case("matrix", {randn({2, 3}, 1)}, [](auto in) { return softmax(in[0]); })
template <typename F>
GradCase grad_case(std::string name, std::vector<Tensor<double>> inputs, F build) {
  GradCase result;
  result.name = std::move(name);
  result.inputs = std::move(inputs);
  result.build = [build](std::span<const Var<double>> in) { return build(in); };
  result.build_float = [build](std::span<const Var<float>> in) { return build(in); };
  return result;
}

/// Inputs for cases: standard normals times `scale`, the same for the same seed.
Tensor<double> randn(const Shape& shape, std::uint64_t seed, double scale = 1.0);
/// Uniform numbers in [low, high).
Tensor<double> uniform(const Shape& shape, std::uint64_t seed, double low, double high);
/// Moves every number that is closer than `distance` to `kink` away from it: where a function has
/// no derivative, the input is moved, never the tolerance.
Tensor<double> keep_away_from(double kink, double distance, Tensor<double> x);

/// What the check of one case found.
struct GradReport {
  std::string subject;  ///< op or layer
  std::string case_name;
  bool passed = true;
  double max_error = 0;  ///< largest |backward - difference| / max(1, |difference|)
  std::string message;   ///< empty if passed; else what failed, where, with both numbers
};

/// Checks one case, in double:
///
///  1. The gradient of <c1, y> + <c2, y'>, y and y' being the result of building twice from the
///  same
///     inputs and c1, c2 random, equals the central difference for every number of every input, to
///     1e-7 relative to max(1, |difference|). (Truncation and rounding of a central difference with
///     step 6e-6 are each near 1e-10.) A NaN fails.
///  2. The numeric gradient is not all below 1e-3, unless the case says so: else 1 shows nothing.
///  3. The backward pass is linear: twice the upstream gradient gives twice the gradient.
///  4. An input that requires no gradient gets none, and the others' gradients stay the same.
///  5. Inputs are not written to; values and gradients are finite.
///  6. The float result agrees with the double one; results for 1 and 3 threads have equal bits.
///  7. If `op` is given, it is on the tape.
GradReport check_gradients(std::string subject, const GradCase& checked, Op op = Op::custom);

}  // namespace tapehead
