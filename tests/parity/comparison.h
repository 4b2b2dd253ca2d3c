#pragma once

#include <string>

#include "autograd/tensor.h"

namespace tapehead::parity {

/// Collects how far computed tensors are from the expected ones.
///
/// The error of a number is |computed - expected|; its relative error is that divided by
/// max(1, largest |expected| of its tensor): rounding is relative to the largest number of a sum,
/// not to what cancellation leaves. Equal infinities, and NaN where NaN is expected, are no error;
/// any other non-finite number is an infinite one.
class Comparison {
 public:
  /// `bound`: the largest relative error that passes.
  explicit Comparison(double bound) : bound_(bound) {}

  void compare(const std::string& what, const Tensor<double>& computed,
               const Tensor<double>& expected);
  /// Notes a failure that is not a matter of size.
  void fail(const std::string& message);

  double max_abs_error() const { return max_abs_; }
  double max_rel_error() const { return max_rel_; }
  /// What failed first, in words; empty if nothing did.
  const std::string& failure() const { return failure_; }

 private:
  double bound_;
  double max_abs_ = 0, max_rel_ = 0;
  std::string failure_;
};

}  // namespace tapehead::parity
