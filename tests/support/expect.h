#pragma once

#include <cmath>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "autograd/tensor.h"
#include "base/error.h"

namespace tapehead::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

/// Runs f and expects an Error of the given type whose message matches the regular expression.
template <typename ErrorType, typename F>
void expect_error(F&& f, const std::string& regex) {
  try {
    f();
    ADD_FAILURE() << "no error; expected one that matches \"" << regex << "\"";
  } catch (const ErrorType& e) {
    EXPECT_THAT(std::string(e.what()), ::testing::ContainsRegex(regex));
  }
}

/// Expects equal shapes and |actual - expected| <= tolerance * max(1, |expected|) everywhere.
template <typename T>
void expect_near(const Tensor<T>& actual, const Tensor<T>& expected, double tolerance) {
  ASSERT_EQ(actual.shape(), expected.shape());
  for (Index i = 0; i < actual.size(); ++i) {
    const auto a = static_cast<double>(actual[i]);
    const auto e = static_cast<double>(expected[i]);
    const double error = std::abs(a - e) / std::max(1.0, std::abs(e));
    // Written so that a NaN fails.
    ASSERT_TRUE(error <= tolerance) << "at " << i << ": " << a << ", expected " << e;
  }
}

/// Expects equal shapes and equal bits.
template <typename T>
void expect_bits_equal(const Tensor<T>& actual, const Tensor<T>& expected) {
  ASSERT_EQ(actual.shape(), expected.shape());
  for (Index i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i], expected[i]) << "at " << i;
  }
}

}  // namespace tapehead::testing
