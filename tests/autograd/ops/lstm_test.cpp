#include "autograd/ops/lstm.h"

#include "autograd/ops/operators.h"
#include "autograd/ops/sigmoid.h"
#include "autograd/ops/tanh.h"
#include "tests/autograd/ops/composed.h"

namespace tapehead {
namespace {

using testing::gate;

const auto kLstm = [](auto in) {
  return lstm(in[0], in[1], in[2], {in[3], in[4], in[5], in[6]}).output;
};

// The states and the cells, side by side.
Var<double> lstm_step_by_step(std::span<const Var<double>> in, bool with_cells) {
  std::vector<Var<double>> states;
  Var<double> h = in[1], c = in[2];
  const Index n = h.dim(1);
  for (Index t = 0; t < in[0].dim(1); ++t) {
    const auto z = linear(testing::time_step(in[0], t), in[3], in[5]) + linear(h, in[4], in[6]);
    c = sigmoid(gate(z, 1, n)) * c + sigmoid(gate(z, 0, n)) * tanh(gate(z, 2, n));
    h = sigmoid(gate(z, 3, n)) * tanh(c);
    states.push_back(with_cells ? c : h);
  }
  return testing::as_sequence(states);
}

TEST(Lstm, EqualsItsComposition) {
  testing::expect_equals_composition(
      kLstm, [](auto in) { return lstm_step_by_step(in, false); }, testing::recurrent_inputs(4, 2));
}

TEST(Lstm, GivesTheLastCellToGoOnFrom) {
  Tape<double> tape;
  std::vector<Var<double>> in;
  for (const auto& x : testing::recurrent_inputs(4, 2)) in.push_back(tape.leaf(x));
  const RecurrentWeights<double> weights{in[3], in[4], in[5], in[6]};
  const auto whole = lstm(in[0], in[1], in[2], weights);
  const auto cells = lstm_step_by_step(in, true);
  testing::expect_near(whole.cell, testing::time_step(cells, 4).value(), 1e-14);
  const auto first = lstm(slice(in[0], 1, 0, 2), in[1], in[2], weights);
  const auto rest = lstm(slice(in[0], 1, 2, 5), testing::time_step(first.output, 1),
                         tape.leaf(first.cell), weights);
  testing::expect_near(rest.output.value(), slice(whole.output, 1, 2, 5).value(), 1e-14);
  const auto none = lstm(slice(in[0], 1, 0, 0), in[1], in[2], weights);
  testing::expect_bits_equal(none.cell, in[2].value());
}

TEST(Lstm, RefusesShapesThatDoNotFit) {
  auto in = testing::recurrent_inputs(4, 2);
  in[2] = Tensor<double>({3, 7});
  testing::expect_error<ShapeError>([&] { testing::value_of(kLstm, in); },
                                    "lstm: c0 has shape .3, 7.*.3, 6.");
  in = testing::recurrent_inputs(3, 2);
  testing::expect_error<ShapeError>([&] { testing::value_of(kLstm, in); },
                                    "lstm: w_ih has shape .18, 4.*.24, 4.");
}

}  // namespace
}  // namespace tapehead
