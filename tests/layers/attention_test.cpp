#include "layers/attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::expect_near;
using testing::LayerFixture;

AttentionConfig with_scale(AttentionScale::Kind kind, double number = 1.0) {
  AttentionConfig c = AttentionConfig::self_attention(8, 2);
  c.scale = {kind, number};
  return c;
}

// The output of a layer of the same initial weights whatever the scale.
Tensor<double> output(const AttentionConfig& config) {
  LayerFixture f;
  const MultiHeadAttention<double> layer(f.root / "a", config);
  const auto x = f.input({2, 5, 8}, 3);
  return layer.forward(x, x, x).value();
}

TEST(AttentionLayer, ScalesByTheWidthOfAHead) {
  const AttentionScale::Kind number = AttentionScale::Kind::kNumber;
  const auto usual = output(with_scale(AttentionScale::Kind::kInvSqrt));
  expect_bits_equal(output(with_scale(number, 1 / std::sqrt(4.0))), usual);
  expect_near(output(with_scale(AttentionScale::Kind::kLearned)), usual, 1e-14);
  expect_bits_equal(output(with_scale(number, 1.0)),
                    output(with_scale(AttentionScale::Kind::kNone)));
}

TEST(AttentionLayer, DividingByTheInverseRootMultipliesByTheRoot) {
  // A teaching document divides the scores by self.scale, which is d_k^-0.5 already.
  const double wrong = 1.0 / std::pow(4.0, -0.5);
  EXPECT_EQ(AttentionScale{AttentionScale::Kind::kSqrt}.factor(4), wrong);
  expect_bits_equal(output(with_scale(AttentionScale::Kind::kSqrt)),
                    output(with_scale(AttentionScale::Kind::kNumber, wrong)));
}

// Equal numbers in different Vars are projected one by one.
TEST(AttentionLayer, OneSourceIsProjectedAtOnceToTheSameBits) {
  const auto pass = [](bool q_is_k, bool k_is_v) {
    LayerFixture f;
    const MultiHeadAttention<double> layer(f.root / "a", AttentionConfig::self_attention(8, 2));
    const Tensor<double> gradients = f.store.make_buffer();
    f.tape.bind_gradients(f.store, gradients);
    const auto q = f.input({2, 5, 8}, 3);
    const auto k = q_is_k ? q : f.input({2, 5, 8}, 3), v = k_is_v ? k : f.input({2, 5, 8}, 3);
    const auto y = layer.forward(q, k, v);
    const Index packed = f.tape.count(Op::packed_linear), single = f.tape.count(Op::linear);
    EXPECT_EQ(packed, k_is_v ? (q_is_k ? 3 : 2) : 0);
    EXPECT_EQ(packed + single, 4);  // with fc_o
    f.tape.backward(y, randn(y.shape(), 9));
    return std::array{y.value().clone(), gradients};
  };
  const auto one_by_one = pass(false, false);
  for (const bool q_is_k : {false, true}) {
    const auto at_once = pass(q_is_k, true);
    expect_bits_equal(at_once[0], one_by_one[0]);
    expect_bits_equal(at_once[1], one_by_one[1]);
  }
}

TEST(AttentionLayer, CrossAttentionTakesOtherLengthsAndWidths) {
  LayerFixture f;
  AttentionConfig c;
  c.query_width = 6;
  c.key_width = 5;
  c.value_width = 4;
  c.heads = 3;
  c.kv_heads = 3;
  c.d_k = 2;
  c.d_v = 7;
  c.out_width = 9;
  const MultiHeadAttention<double> layer(f.root / "a", c);
  const auto r = layer.forward_with_weights(f.input({2, 3, 6}, 1), f.input({2, 8, 5}, 2),
                                            f.input({2, 8, 4}, 3));
  EXPECT_EQ(r.output.shape(), (Shape{2, 3, 9}));
  EXPECT_EQ(r.weights.shape(), (Shape{2, 3, 3, 8}));
}

TEST(AttentionLayer, GroupedQueriesShareKeysAsTiedHeadsDo) {
  // A layer with 2 kv heads against one with 4 whose key and value weights are repeated in pairs.
  LayerFixture grouped, tied;
  const MultiHeadAttention<double> gqa(grouped.root / "a",
                                       AttentionConfig::self_attention(8, 4, 2));
  const MultiHeadAttention<double> mha(tied.root / "a", AttentionConfig::self_attention(8, 4));
  for (const char* name : {"a.fc_q.weight", "a.fc_q.bias", "a.fc_o.weight", "a.fc_o.bias"}) {
    tied.set(name, grouped.value(name));
  }
  for (const std::string fc : {"a.fc_k", "a.fc_v"}) {
    const auto weight = grouped.value(fc + ".weight"), bias = grouped.value(fc + ".bias");
    Tensor<double> weight4({8, 8}), bias4({8});
    for (Index row = 0; row < 8; ++row) {
      const Index from = row / 2 / 2 * 2 + row % 2;  // head h uses kv head h / 2; heads are 2 wide
      bias4[row] = bias[from];
      for (Index c = 0; c < 8; ++c) weight4[row * 8 + c] = weight[from * 8 + c];
    }
    tied.set(fc + ".weight", weight4);
    tied.set(fc + ".bias", bias4);
  }
  const auto x = grouped.input({2, 5, 8}, 1);
  const auto x4 = tied.input({2, 5, 8}, 1);
  expect_near(gqa.forward(x, x, x, Mask::causal()).value(),
              mha.forward(x4, x4, x4, Mask::causal()).value(), 1e-14);
}

TEST(AttentionLayer, AskingForWeightsChangesNoBit) {
  LayerFixture f;
  AttentionConfig c = AttentionConfig::self_attention(8, 4, 2);
  c.dropout = 0.2;
  const MultiHeadAttention<double> layer(f.root / "a", c);
  f.tape.context().training = true;
  const auto x = f.input({2, 5, 8}, 1);
  expect_bits_equal(layer.forward_with_weights(x, x, x, Mask::causal()).output.value(),
                    layer.forward(x, x, x, Mask::causal()).value());
}

TEST(AttentionLayer, HeadMajorPutsAllBatchEntriesOfAHeadTogether) {
  LayerFixture f;
  const auto weights = f.tape.leaf({{2, 3, 1, 1}, {0, 1, 2, 10, 11, 12}});
  expect_bits_equal(head_major(weights).value(), {{6, 1, 1}, {0, 10, 1, 11, 2, 12}});
}

TEST(AttentionLayer, HeadsMayHaveAnyWidth) {
  // Heads that are narrower than a share of the model's width are wide ones whose last numbers are
  // zero, but for the scale.
  LayerFixture narrow, wide;
  AttentionConfig c = AttentionConfig::self_attention(8, 4, 2, 1);
  EXPECT_EQ(c.d_k, 1);
  EXPECT_EQ(c.d_v, 1);
  AttentionConfig usual = AttentionConfig::self_attention(8, 4, 2);
  usual.scale = {AttentionScale::Kind::kNumber, 1.0};
  const MultiHeadAttention<double> a(narrow.root / "a", c), b(wide.root / "a", usual);
  for (const auto& p : wide.store.parameters()) p.value().fill(0);
  for (const char* name : {"fc_q", "fc_k", "fc_v"}) {
    for (const char* part : {".weight", ".bias"}) {
      const std::string path = std::string("a.") + name + part;
      const Tensor<double> from = narrow.value(path);
      Tensor<double> to = wide.value(path);
      const Index columns = from.rank() == 2 ? from.dim(1) : 1;
      for (Index row = 0; row < from.dim(0); ++row) {
        std::copy_n(from.data() + row * columns, columns, to.data() + 2 * row * columns);
      }
    }
  }
  const Tensor<double> from = narrow.value("a.fc_o.weight");
  ASSERT_EQ(from.shape(), (Shape{8, 4}));
  Tensor<double> to = wide.value("a.fc_o.weight");
  for (Index i = 0; i < from.size(); ++i) to[2 * i] = from[i];
  wide.set("a.fc_o.bias", narrow.value("a.fc_o.bias"));
  const auto output = [](LayerFixture& f, const MultiHeadAttention<double>& layer) {
    const auto x = f.input({2, 3, 8}, 7);
    return layer.forward(x, x, x, Mask::causal()).value();
  };
  testing::expect_near(output(narrow, a), output(wide, b), 1e-12);
}

TEST(AttentionLayer, RefusesHeadsThatDoNotDivide) {
  testing::expect_error<ValueError>(
      [] { AttentionConfig::self_attention(10, 3); },
      "3 heads, d_model 10: the heads must divide d_model, or head_dim must be set");
  testing::expect_error<ValueError>([] { AttentionConfig::self_attention(12, 6, 4); },
                                    "4 key/value heads, 6 heads: ");
}

}  // namespace
}  // namespace tapehead
