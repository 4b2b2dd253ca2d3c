#pragma once

#include <vector>

#include "autograd/gradcheck.h"
#include "autograd/ops/concat.h"
#include "autograd/ops/linear.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/slice.h"
#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead::testing {

/// Expects equal values and equal gradients of every input, to rounding.
template <typename Fused, typename Composed>
void expect_equals_composition(const Fused& fused, const Composed& composed,
                               const std::vector<Tensor<double>>& inputs) {
  // A few dozen terms of order 1, added in another order.
  constexpr double kRounding = 1e-13;
  const Tensor<double> y = value_of(composed, inputs);
  expect_near(value_of(fused, inputs), y, kRounding);
  const Tensor<double> upstream = randn(y.shape(), 99);
  const auto ours = gradients_of(fused, inputs, upstream);
  const auto theirs = gradients_of(composed, inputs, upstream);
  for (std::size_t i = 0; i < inputs.size(); ++i) expect_near(ours[i], theirs[i], kRounding);
}

/// Time step t of x (batch, steps, width), as (batch, width).
inline Var<double> time_step(const Var<double>& x, Index t) {
  return reshape(slice(x, 1, t, t + 1), {x.dim(0), x.dim(2)});
}

/// The states (batch, width) after each step, as (batch, steps, width).
inline Var<double> as_sequence(const std::vector<Var<double>>& states) {
  std::vector<Var<double>> rows;
  for (const auto& h : states) rows.push_back(reshape(h, {h.dim(0), 1, h.dim(1)}));
  return concat(std::span<const Var<double>>(rows), 1);
}

/// Gate g, `width` numbers wide, of z (batch, gates * width).
inline Var<double> gate(const Var<double>& z, Index g, Index width) {
  return slice(z, 1, g * width, (g + 1) * width);
}

/// Random x (3, 5, 4), states (3, 6), `states` of them, and weights and biases of so many gates.
inline std::vector<Tensor<double>> recurrent_inputs(Index gates, int states) {
  std::vector<Tensor<double>> in = {randn({3, 5, 4}, 1)};
  for (int i = 0; i < states; ++i) in.push_back(randn({3, 6}, 2 + static_cast<std::uint64_t>(i)));
  in.push_back(randn({gates * 6, 4}, 11, 0.5));
  in.push_back(randn({gates * 6, 6}, 12, 0.5));
  in.push_back(randn({gates * 6}, 13));
  in.push_back(randn({gates * 6}, 14));
  return in;
}

}  // namespace tapehead::testing
