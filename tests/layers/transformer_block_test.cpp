#include "layers/transformer_block.h"

#include "autograd/ops/add.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

BlockConfig block_config(bool pre_norm) {
  BlockConfig c;
  c.d_model = 8;
  c.heads = 2;
  c.d_ff = 16;
  c.norm = pre_norm ? NormPlacement::kPre : NormPlacement::kPost;
  return c;
}

// The same block put together by hand from layers that share its parameters' values.
Tensor<double> by_the_formula(const BlockConfig& c, const Tensor<double>& x0) {
  LayerFixture f;
  const auto at = f.root / "block";
  const Norm<double> norm1(at / "norm1", c.norm_kind, c.d_model, true);
  const MultiHeadAttention<double> attention(at / "attention",
                                             AttentionConfig::self_attention(c.d_model, c.heads));
  const Norm<double> norm2(at / "norm2", c.norm_kind, c.d_model, true);
  const FeedForward<double> ff(at / "feed_forward", c.d_model, c.d_ff, c.activation);
  const auto attend = [&](const Var<double>& x) { return attention.forward(x, x, x); };
  const auto x = f.tape.leaf(x0);
  if (c.norm == NormPlacement::kPre) {
    const auto h = add(x, attend(norm1.forward(x)));
    return add(h, ff.forward(norm2.forward(h))).value();
  }
  const auto h = norm1.forward(add(x, attend(x)));
  return norm2.forward(add(h, ff.forward(h))).value();
}

TEST(TransformerBlock, MatchesItsFormulaWithEitherNormPlacement) {
  for (const bool pre_norm : {true, false}) {
    LayerFixture f;
    const TransformerBlock<double> block(f.root / "block", block_config(pre_norm));
    const auto x = f.input({2, 3, 8}, 1);
    testing::expect_bits_equal(block.forward(x).value(),
                               by_the_formula(block_config(pre_norm), x.value()));
  }
}

}  // namespace
}  // namespace tapehead
