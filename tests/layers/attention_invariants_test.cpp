// What holds for attention of every kind.

#include <algorithm>
#include <functional>
#include <limits>

#include "layers/attention.h"
#include "layers/document_attention.h"
#include "tests/layers/attention_traits.h"

namespace tapehead {
namespace {

using testing::every_attention;
using testing::expect_bits_equal;
using testing::expect_near;
using testing::LayerFixture;
using testing::self_attention;
using testing::with_rotary;
using testing::with_traits;

TEST(AttentionInvariants, NanInPaddingReachesNoOutputAndNoGradient) {
  for (const AttentionConfig& config : every_attention()) {
    const auto pass = [&](double padding) {
      LayerFixture f;
      const MultiHeadAttention<double> layer(f.root / "a", config);
      Tensor<double> keys = randn({2, 3, 8}, 1);
      for (Index c = 0; c < 8; ++c) keys[2 * 8 + c] = padding;  // key 2 of the first entry
      const auto q = f.input({2, 2, 8}, 2);
      const auto k = f.tape.leaf(keys, true);
      const auto y = layer.forward(q, k, k, Mask::key_lengths({2, 3}));
      f.tape.backward(y, randn(y.shape(), 3));
      std::vector<Tensor<double>> all{y.value(), q.grad(), k.grad()};
      for (const auto& p : f.store.parameters()) all.push_back(f.tape.parameter(p).grad());
      return all;
    };
    const auto clean = pass(0.5), dirty = pass(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < clean.size(); ++i) expect_bits_equal(dirty[i], clean[i]);
  }
}

TEST(AttentionInvariants, AQueryThatSeesNothingGetsTheBiasOfTheOutputAndNoGradient) {
  const Mask nothing_for_the_first = Mask::may_attend(Tensor<std::uint8_t>({2, 2}, {0, 0, 1, 1}));
  for (const AttentionConfig& config : every_attention()) {
    LayerFixture f;
    const MultiHeadAttention<double> layer(f.root / "a", config);
    const auto q = f.input({1, 2, 8}, 1), k = f.input({1, 2, 8}, 2);
    const auto y = layer.forward(q, k, k, nothing_for_the_first);
    expect_bits_equal(y.value().view(0, {8}), f.value("a.fc_o.bias"));
    f.tape.backward(y, randn(y.shape(), 3));
    for (Index c = 0; c < 8; ++c) EXPECT_EQ(q.grad()[c], 0.0);
  }
}

TEST(AttentionInvariants, ATokenChangesNothingBeforeItThroughAnyMask) {
  const double inf = std::numeric_limits<double>::infinity();
  Tensor<std::uint8_t> allowed({5, 5}), forbidden({1, 5, 5});
  Tensor<double> numbers({5, 5}), added({1, 1, 5, 5});
  for (Index at = 0; at < 25; ++at) {
    const bool past = at % 5 <= at / 5;
    allowed[at] = past;
    forbidden[at] = !past;
    numbers[at] = past ? 1 : 0;
    added[at] = past ? 0.0 : -inf;
  }
  const Mask masks[] = {Mask::causal(),
                        Mask::causal_top_left(),
                        Mask::may_attend(allowed),
                        Mask::masked_out(forbidden),
                        Mask::zero_is_masked(numbers),
                        Mask::additive(added),
                        Mask::key_lengths({5}) & Mask::causal()};
  const auto x = randn({1, 5, 8}, 1);
  Tensor<double> changed = x.clone();
  for (Index c = 0; c < 8; ++c) changed[3 * 8 + c] += 5;
  for (const AttentionConfig& config : every_attention()) {
    for (const Mask& mask : masks) {
      const auto before = self_attention(config, x, mask).output;
      const auto after = self_attention(config, changed, mask).output;
      expect_bits_equal(after.view(0, {3, 8}), before.view(0, {3, 8}));
      EXPECT_NE(after[3 * 8], before[3 * 8]);
    }
  }
}

// The same for the documents' layers, whose mask is a tensor of 0 and -inf.
template <typename Layer>
void expect_causal_with_the_documents_mask() {
  LayerFixture f;
  const Layer layer(f.root, 2, 8, 8, 4, 4, 8);
  Tensor<double> mask({1, 5, 5});
  for (Index at = 0; at < 25; ++at) {
    if (at % 5 > at / 5) mask[at] = -std::numeric_limits<double>::infinity();
  }
  const auto x = randn({1, 5, 8}, 1);
  Tensor<double> changed = x.clone();
  for (Index c = 0; c < 8; ++c) changed[3 * 8 + c] += 5;
  const auto a = f.tape.leaf(x), b = f.tape.leaf(changed);
  const auto before = layer.forward(a, a, a, mask).output.value();
  const auto after = layer.forward(b, b, b, mask).output.value();
  expect_bits_equal(after.view(0, {3, 8}), before.view(0, {3, 8}));
  EXPECT_NE(after[3 * 8], before[3 * 8]);
}

TEST(AttentionInvariants, ATokenChangesNothingBeforeItInTheDocumentsLayers) {
  expect_causal_with_the_documents_mask<MHA<double>>();
  expect_causal_with_the_documents_mask<MQA<double>>();
}

// A causal mask of n keys and the part of it for the last of n queries, for each kind of mask.
struct PiecewiseMask {
  std::function<Mask(Index n)> whole, last;
};

std::vector<PiecewiseMask> piecewise_masks() {
  const Tensor<double> bias = randn({5, 5}, 9);
  const auto rows = [](const auto& f, Index first, Index n) {
    Tensor<double> part({n - first, n});
    for (Index at = 0; at < part.size(); ++at) part[at] = f(first + at / n, at % n);
    return part;
  };
  const auto holes = [](Index i, Index j) { return j == 1 && i > 1 ? 0.0 : 1.0; };
  const auto additive = [bias](Index i, Index j) { return bias[i * 5 + j]; };
  const auto from = [rows](const auto& f, const auto& make) {
    return PiecewiseMask{[=](Index n) { return Mask::causal() & make(rows(f, 0, n)); },
                         [=](Index n) { return Mask::causal() & make(rows(f, n - 1, n)); }};
  };
  const auto lengths = [](Index n) {
    return Mask::causal() & Mask::key_lengths({std::min(n, Index{3})});
  };
  return {{[](Index) { return Mask::causal(); }, [](Index) { return Mask::causal(); }},
          {lengths, lengths},
          from(holes, [](const Tensor<double>& x) { return Mask::zero_is_masked(x); }),
          from(additive, [](const Tensor<double>& x) { return Mask::additive(x); })};
}

TEST(AttentionInvariants, ACacheGivesTheRowsOfTheWholePassWithEveryMask) {
  const auto x = randn({1, 5, 8}, 1);
  std::vector<AttentionConfig> configs = every_attention();
  configs.push_back(with_traits({.scores = AttentionScores::kAdditive}, 4, 1));
  configs.push_back(with_rotary(Rotary::kNeighbours, 4, 2));
  configs.back().scale.kind = AttentionScale::Kind::kLogLength;
  for (const AttentionConfig& config : configs) {
    for (const auto kind :
         {DistanceBiasKind::kAlibi, DistanceBiasKind::kHardAlibi, DistanceBiasKind::kT5}) {
      LayerFixture f;
      const auto bias =
          std::make_shared<const DistanceBias<double>>(f.root / "bias", kind, config.heads, false);
      const MultiHeadAttention<double> layer(f.root / "a", config, bias);
      for (const PiecewiseMask& mask : piecewise_masks()) {
        const auto all = f.tape.leaf(x);
        const auto whole = layer.forward(all, all, all, mask.whole(5)).value();
        KvCache<double> cache = layer.make_cache(5);
        for (Index n = 1; n <= 5; ++n) {
          const auto one = f.tape.leaf(x.view((n - 1) * 8, {1, 1, 8}));
          layer.append(one, one, cache);
          const auto y = layer.attend(one, cache, mask.last(n)).value();
          expect_near(y.view(0, {8}), whole.view((n - 1) * 8, {8}), 1e-12);
        }
      }
    }
  }
}

// Cross-attention: the source is appended once, and no attention is computed for it.
TEST(AttentionInvariants, WhatIsAppendedIsAttendedToAsInAWholePass) {
  LayerFixture f;
  const MultiHeadAttention<double> layer(f.root / "a", with_traits({}, 4, 2));
  const auto q = f.tape.leaf(randn({1, 3, 8}, 1));
  const auto source = f.tape.leaf(randn({1, 5, 8}, 2));
  KvCache<double> cache = layer.make_cache(5);
  layer.append(source, source, cache);
  EXPECT_EQ(f.tape.count(Op::attention), 0);
  EXPECT_EQ(cache.length(), 5);
  testing::expect_bits_equal(layer.attend(q, cache).value(),
                             layer.forward(q, source, source).value());
}

}  // namespace
}  // namespace tapehead
