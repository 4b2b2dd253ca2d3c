#include "autograd/ops/gru.h"

#include "autograd/ops/operators.h"
#include "autograd/ops/sigmoid.h"
#include "autograd/ops/tanh.h"
#include "tests/autograd/ops/composed.h"

namespace tapehead {
namespace {

const auto kGru = [](auto in) { return gru(in[0], in[1], {in[2], in[3], in[4], in[5]}); };

const auto kGruStepByStep = [](std::span<const Var<double>> in) {
  std::vector<Var<double>> states;
  Var<double> h = in[1];
  const Index width = h.dim(1);
  for (Index t = 0; t < in[0].dim(1); ++t) {
    const auto u = linear(testing::time_step(in[0], t), in[2], in[4]);
    const auto v = linear(h, in[3], in[5]);
    const auto both = [&](Index g) {
      return testing::gate(u, g, width) + testing::gate(v, g, width);
    };
    const auto r = sigmoid(both(0)), z = sigmoid(both(1));
    const auto n = tanh(testing::gate(u, 2, width) + r * testing::gate(v, 2, width));
    h = n - z * n + z * h;
    states.push_back(h);
  }
  return testing::as_sequence(states);
};

TEST(Gru, EqualsItsComposition) {
  testing::expect_equals_composition(kGru, kGruStepByStep, testing::recurrent_inputs(3, 1));
}

TEST(Gru, RefusesShapesThatDoNotFit) {
  const auto in = testing::recurrent_inputs(4, 1);
  testing::expect_error<ShapeError>([&] { testing::value_of(kGru, in); },
                                    "gru: w_ih has shape .24, 4.*.18, 4.");
}

}  // namespace
}  // namespace tapehead
