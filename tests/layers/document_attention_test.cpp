#include "layers/document_attention.h"

#include "tests/layers/layer_fixture.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;
using testing::LayerFixture;

// The documents' sizes: batch 10, 8 heads, n_q 2, n_k 4, widths 128, 128, 64, d_k = d_v = 16,
// d_o = 8.
struct DocumentInputs {
  Var<double> q, k, v;
  explicit DocumentInputs(LayerFixture& f)
      : q(f.input({10, 2, 128}, 1)), k(f.input({10, 4, 128}, 2)), v(f.input({10, 4, 64}, 3)) {}
};

// torch.triu(torch.full((10, 2, 4), -inf), diagonal).
Tensor<double> triu_of_minus_infinity(Index diagonal) {
  Tensor<double> mask({10, 2, 4});
  for (Index b = 0; b < 10; ++b) {
    for (Index i = 0; i < 2; ++i) {
      for (Index j = i + diagonal; j < 4; ++j) mask[(b * 2 + i) * 4 + j] = -kInf;
    }
  }
  return mask;
}

template <typename Layer>
void expect_document_shapes() {
  LayerFixture f;
  const Layer layer(f.root / "layer", 8, 128, 64, 16, 16, 8);
  const DocumentInputs in(f);
  const auto r = layer.forward(in.q, in.k, in.v, triu_of_minus_infinity(1));
  EXPECT_EQ(r.attention.shape(), (Shape{80, 2, 4}));
  EXPECT_EQ(r.output.shape(), (Shape{10, 2, 8}));
}

TEST(DocumentAttention, HasTheDocumentsShapes) {
  expect_document_shapes<MHA<double>>();
  expect_document_shapes<MQA<double>>();
}

TEST(DocumentAttention, MqaSharesOneKeyAndValueHead) {
  LayerFixture f;
  const MQA<double> layer(f.root / "mqa", 8, 128, 64, 16, 16, 8);
  EXPECT_EQ(f.store.find("mqa.fc_q.weight").shape(), (Shape{128, 128}));
  EXPECT_EQ(f.store.find("mqa.fc_k.weight").shape(), (Shape{16, 128}));
  EXPECT_EQ(f.store.find("mqa.fc_v.weight").shape(), (Shape{16, 64}));
  EXPECT_EQ(f.store.find("mqa.fc_o.weight").shape(), (Shape{8, 128}));
}

TEST(DocumentAttention, TriuWithItsDiagonalLeavesTheFirstQueryNothing) {
  // One document masks with triu(mask), diagonal included; PyTorch then answers NaN.
  LayerFixture f;
  const MHA<double> layer(f.root / "mha", 8, 128, 64, 16, 16, 8);
  const DocumentInputs in(f);
  const auto r = layer.forward(in.q, in.k, in.v, triu_of_minus_infinity(0));
  for (Index j = 0; j < 4; ++j) EXPECT_EQ(r.attention.value()[j], 0.0);
  EXPECT_EQ(r.attention.value()[4], 1.0);  // the second query sees the first key alone
  for (const double y : r.output.value().values()) EXPECT_TRUE(std::isfinite(y));
}

TEST(DocumentAttention, AdditiveMaskEqualsTheMaskByName) {
  LayerFixture f;
  const MQA<double> layer(f.root / "mqa", 8, 128, 64, 16, 16, 8);
  const DocumentInputs in(f);
  testing::expect_near(layer.forward(in.q, in.k, in.v, triu_of_minus_infinity(1)).output.value(),
                       layer.forward(in.q, in.k, in.v, Mask::causal_top_left()).output.value(),
                       1e-14);
}

TEST(DocumentAttention, SelfAttentionGivesWeightsPerHead) {
  LayerFixture f;
  const SingleHeadSelfAttention<double> one(f.root / "one", 8, false);
  const MultiHeadSelfAttention<double> many(f.root / "many", 64, 8);
  const auto r1 = one.forward(f.input({2, 5, 8}, 1));
  EXPECT_EQ(r1.output.shape(), (Shape{2, 5, 8}));
  EXPECT_EQ(r1.attention.shape(), (Shape{2, 5, 5}));
  const auto r8 = many.forward(f.input({2, 4, 64}, 2),
                               Mask::zero_is_masked(Tensor<double>::full({2, 4, 4}, 1.0)));
  EXPECT_EQ(r8.output.shape(), (Shape{2, 4, 64}));
  EXPECT_EQ(r8.attention.shape(), (Shape{2, 8, 4, 4}));
  EXPECT_FALSE(f.store.contains("one.fc_q.bias"));
  EXPECT_FALSE(f.store.contains("one.fc_o.weight"));
}

}  // namespace
}  // namespace tapehead
