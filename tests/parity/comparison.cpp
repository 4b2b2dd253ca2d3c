#include "tests/parity/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "autograd/check.h"

namespace tapehead::parity {

namespace {

double error_of(double computed, double expected) {
  if (computed == expected || (std::isnan(computed) && std::isnan(expected))) return 0;
  const double error = std::abs(computed - expected);
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

double largest_finite(const Tensor<double>& x) {
  double largest = 0;
  for (const double v : x.values()) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

}  // namespace

void Comparison::compare(const std::string& what, const Tensor<double>& computed,
                         const Tensor<double>& expected) {
  if (computed.shape() != expected.shape()) {
    return fail(fmt::format("{} has shape {}, expected {}", what, computed.shape().str(),
                            expected.shape().str()));
  }
  const double scale = std::max(1.0, largest_finite(expected));
  for (Index i = 0; i < computed.size(); ++i) {
    const double error = error_of(computed[i], expected[i]);
    max_abs_ = std::max(max_abs_, error);
    max_rel_ = std::max(max_rel_, error / scale);
    if (error > bound_ * scale) {
      fail(fmt::format("{} at {}: {:.17g}, expected {:.17g}", what,
                       position_str(computed.shape(), i), computed[i], expected[i]));
    }
  }
}

void Comparison::fail(const std::string& message) {
  if (failure_.empty()) failure_ = message;
}

}  // namespace tapehead::parity
