#include "autograd/ops/rnn.h"

#include <cmath>

#include "autograd/ops/operators.h"
#include "autograd/ops/tanh.h"
#include "tests/autograd/ops/composed.h"

namespace tapehead {
namespace {

const auto kRnn = [](auto in) { return rnn(in[0], in[1], {in[2], in[3], in[4], in[5]}); };

const auto kRnnStepByStep = [](std::span<const Var<double>> in) {
  std::vector<Var<double>> states;
  Var<double> h = in[1];
  for (Index t = 0; t < in[0].dim(1); ++t) {
    h = tanh(linear(testing::time_step(in[0], t), in[2], in[4]) + linear(h, in[3], in[5]));
    states.push_back(h);
  }
  return testing::as_sequence(states);
};

TEST(Rnn, EqualsItsComposition) {
  testing::expect_equals_composition(kRnn, kRnnStepByStep, testing::recurrent_inputs(1, 1));
}

TEST(Rnn, MatchesItsFormulaByHand) {
  // h_1 = tanh(0.5 * 1 + 2 * 0.1) and h_2 = tanh(0.5 * -1 + 2 * h_1), biases of 0.
  const Tensor<double> x({1, 2, 1}, {1, -1}), h0({1, 1}, {0.1}), w_ih({1, 1}, {0.5}),
      w_hh({1, 1}, {2}), zero({1}, {0});
  const double h1 = std::tanh(0.7), h2 = std::tanh(2 * h1 - 0.5);
  testing::expect_near(testing::value_of(kRnn, {x, h0, w_ih, w_hh, zero, zero}),
                       {{1, 2, 1}, {h1, h2}}, 1e-15);
}

TEST(Rnn, RefusesShapesThatDoNotFit) {
  auto in = testing::recurrent_inputs(1, 1);
  const auto refused = [&](std::size_t i, const Shape& shape, const std::string& message) {
    auto wrong = in;
    wrong[i] = Tensor<double>(shape);
    testing::expect_error<ShapeError>([&] { testing::value_of(kRnn, wrong); }, message);
  };
  refused(0, {3, 4}, "rnn: x has shape .3, 4.*3");
  refused(1, {2, 6}, "rnn: h0 has shape .2, 6.*.3, 6.");
  refused(2, {6, 5}, "rnn: w_ih has shape .6, 5.*.6, 4.");
  refused(3, {6, 5}, "rnn: w_hh has shape .6, 5.*.6, 6.");
  refused(4, {7}, "rnn: b_ih has shape .7.*.6.");
  refused(5, {7}, "rnn: b_hh has shape .7.*.6.");
}

}  // namespace
}  // namespace tapehead
