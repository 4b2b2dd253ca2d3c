#include "layers/recurrent.h"

#include "autograd/ops/gru.h"
#include "autograd/ops/slice.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

RecurrentConfig recurrent_config(CellKind cell) {
  RecurrentConfig c;
  c.cell = cell;
  c.input = 3;
  c.hidden = 4;
  c.layers = 2;
  return c;
}

TEST(Recurrent, StacksLayersUnderPyTorchsNames) {
  LayerFixture f;
  const Recurrent<double> net(f.root / "net", recurrent_config(CellKind::kGru));
  EXPECT_EQ(f.value("net.weight_ih_l0").shape(), (Shape{12, 3}));
  EXPECT_EQ(f.value("net.weight_ih_l1").shape(), (Shape{12, 4}));
  const auto x = f.input({2, 5, 3}, 1);
  const auto zeros = f.tape.leaf(Tensor<double>({2, 4}));
  Var<double> y = x;
  for (const std::string l : {"_l0", "_l1"}) {
    y = gru(y, zeros,
            {f.tape.leaf(f.value("net.weight_ih" + l)), f.tape.leaf(f.value("net.weight_hh" + l)),
             f.tape.leaf(f.value("net.bias_ih" + l)), f.tape.leaf(f.value("net.bias_hh" + l))});
  }
  testing::expect_bits_equal(net.forward(x).value(), y.value());
}

TEST(Recurrent, GoesOnFromAState) {
  for (const CellKind cell : {CellKind::kRnn, CellKind::kLstm, CellKind::kGru}) {
    LayerFixture f;
    const Recurrent<double> net(f.root, recurrent_config(cell));
    const auto x = f.input({2, 5, 3}, 1);
    const auto whole = net.forward(x);
    RecurrentState<double> state;
    for (const auto& [begin, end] : {std::pair<Index, Index>{0, 2}, {2, 2}, {2, 3}, {3, 5}}) {
      const auto part = net.forward(slice(x, 1, begin, end), &state);
      // Products of fewer rows add up in another order.
      testing::expect_near(part.value(), slice(whole, 1, begin, end).value(), 1e-14);
    }
  }
}

TEST(Recurrent, RefusesNoLayers) {
  LayerFixture f;
  RecurrentConfig c = recurrent_config(CellKind::kRnn);
  c.layers = 0;
  testing::expect_error<ValueError>([&] { Recurrent<double>(f.root, c); }, "recurrent: 0 layers");
}

}  // namespace
}  // namespace tapehead
