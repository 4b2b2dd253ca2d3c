#pragma once

#include <vector>

#include "autograd/gradcheck.h"
#include "autograd/ops/recurrent.h"

namespace tapehead::cases {

template <typename Scalar>
RecurrentWeights<Scalar> weights_of(const Var<Scalar>& w_ih, const Var<Scalar>& w_hh,
                                    const Var<Scalar>& b_ih = {}, const Var<Scalar>& b_hh = {}) {
  return {w_ih, w_hh, b_ih, b_hh};
}

/// The cases of rnn, lstm and gru. `op(in, weights)` applies the op to the input in[0] and to
/// `states` states in[1], in[2] of before the first step; its cell has `gates` gates.
template <typename Apply>
std::vector<GradCase> recurrent_cases(Index gates, std::size_t states, const Apply& op) {
  const auto inputs = [=](Index batch, Index steps, Index in, Index hidden) {
    std::vector<Tensor<double>> all{randn({batch, steps, in}, 1)};
    for (std::size_t s = 0; s < states; ++s) all.push_back(randn({batch, hidden}, 2 + s));
    const Index rows = gates * hidden;
    all.push_back(randn({rows, in}, 4));
    all.push_back(randn({rows, hidden}, 5));
    all.push_back(randn({rows}, 6));
    all.push_back(randn({rows}, 7));
    return all;
  };
  const auto with_bias = [op, first = 1 + states](auto in) {
    return op(in, weights_of(in[first], in[first + 1], in[first + 2], in[first + 3]));
  };
  const auto without_bias = [op, first = 1 + states](auto in) {
    return op(in, weights_of(in[first], in[first + 1]));
  };
  auto no_bias = inputs(2, 3, 2, 3);
  no_bias.resize(3 + states);
  return {
      grad_case("batch", inputs(2, 4, 3, 2), with_bias),
      grad_case("one_step", inputs(3, 1, 2, 3), with_bias),
      grad_case("one_of_each", inputs(1, 1, 1, 1), with_bias),
      grad_case("long", inputs(1, 9, 1, 2), with_bias),
      grad_case("no_rows", inputs(0, 3, 2, 2), with_bias).expecting_zero_gradient(),
      grad_case("without_bias", no_bias, without_bias),
  };
}

}  // namespace tapehead::cases
