#include "layers/causal_conv.h"

#include "autograd/ops/add.h"
#include "autograd/ops/conv1d.h"
#include "autograd/ops/slice.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

ConvBlockConfig conv_config(bool pre_norm) {
  ConvBlockConfig c;
  c.d_model = 4;
  c.d_ff = 6;
  c.kernel_size = 3;
  c.dilation = 2;
  c.norm = pre_norm ? NormPlacement::kPre : NormPlacement::kPost;
  return c;
}

TEST(ConvBlock, MatchesItsFormulaWithEitherNormPlacement) {
  for (const bool pre_norm : {true, false}) {
    const ConvBlockConfig c = conv_config(pre_norm);
    LayerFixture f;
    const ConvBlock<double> block(f.root / "block", c);
    const auto x = f.input({2, 7, 4}, 1);
    LayerFixture g;  // the same parameters, drawn in the same order
    const auto at = g.root / "block";
    const Norm<double> norm(at / "norm", c.norm_kind, c.d_model, true);
    const CausalConv<double> conv(at / "conv", c.d_model, c.d_ff, c.kernel_size, c.dilation);
    const Linear<double> fc(at / "fc", c.d_ff, c.d_model);
    const auto branch = [&](const Var<double>& z) {
      return fc.forward(activate(conv.forward(z), c.activation));
    };
    const auto z = g.tape.leaf(x.value());
    const auto y = pre_norm ? add(z, branch(norm.forward(z))) : norm.forward(add(z, branch(z)));
    testing::expect_bits_equal(block.forward(x).value(), y.value());
  }
}

TEST(ConvBlock, GoesOnFromItsWindow) {
  for (const bool pre_norm : {true, false}) {
    LayerFixture f;
    const ConvBlock<double> block(f.root, conv_config(pre_norm));
    const auto x = f.input({1, 7, 4}, 1);
    const auto whole = block.forward(x);
    Tensor<double> window = block.make_window();
    for (const auto& [begin, end] : {std::pair<Index, Index>{0, 1}, {1, 2}, {2, 6}, {6, 7}}) {
      const auto part = block.forward_cached(slice(x, 1, begin, end), window);
      // Products of fewer rows add up in another order.
      testing::expect_near(part.value(), slice(whole, 1, begin, end).value(), 1e-14);
    }
  }
}

TEST(CausalConv, DrawsWeightsAsPyTorchDoes) {
  LayerFixture f;
  const CausalConv<double> conv(f.root, 8, 500, 2, 1);
  const double bound = 1 / std::sqrt(8.0 * 2);
  const Tensor<double> weight = f.value("weight");
  double largest = 0;
  for (const double w : weight.values()) largest = std::max(largest, std::abs(w));
  EXPECT_LE(largest, bound);
  EXPECT_GT(largest, 0.99 * bound);
}

TEST(CausalConv, RefusesNoTaps) {
  LayerFixture f;
  testing::expect_error<ValueError>([&] { CausalConv<double>(f.root, 2, 3, 0, 1); },
                                    "weight: 2 inputs, 3 outputs and 0 taps");
}

}  // namespace
}  // namespace tapehead
