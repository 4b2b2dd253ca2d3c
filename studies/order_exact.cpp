#include "studies/order_exact.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "train/build_model.h"

namespace tapehead {

namespace {

constexpr Index kRowLength = 12;
constexpr Index kRowSymbols = 10;
// Streams of random numbers, apart from those of the models' weights.
constexpr std::uint32_t kTokenStream = 901, kOrderStream = 902;

std::vector<TokenId> random_row(std::uint64_t seed) {
  Random random(seed, kTokenStream);
  std::vector<TokenId> tokens;
  for (Index t = 0; t < kRowLength; ++t) {
    tokens.push_back(static_cast<TokenId>(random.below(kRowSymbols)));
  }
  return tokens;
}

// A random order of the first `count` positions, the others as they are (Fisher-Yates).
std::vector<Index> random_order(std::uint64_t seed, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(kRowLength));
  std::iota(order.begin(), order.end(), Index{0});
  Random random(seed, kOrderStream);
  for (Index i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(random.below(i + 1))]);
  }
  return order;
}

std::vector<Index> back_to_front() {
  std::vector<Index> order(static_cast<std::size_t>(kRowLength));
  std::iota(order.rbegin(), order.rend(), Index{0});
  return order;
}

template <typename Scalar>
Tensor<Scalar> outputs(const SequenceModel<Scalar>& net, const std::vector<TokenId>& tokens) {
  Tape<Scalar> tape(Tape<Scalar>::Mode::kInference);
  return net.forward(tape, TokenTensor({1, static_cast<Index>(tokens.size())}, tokens)).value();
}

template <typename Scalar>
double fresh_difference(ModelKind kind, PositionKind position, Index layers, Index seed,
                        const std::vector<Index>& order, Index first) {
  const ModelConfig config{
      .kind = kind, .d_model = 32, .layers = layers, .heads = 4, .position = position};
  ModelSizes sizes;
  sizes.vocabulary = kRowSymbols;
  sizes.length = kRowLength;
  ParameterStore<Scalar> store;
  const Builder<Scalar> root(store, static_cast<std::uint64_t>(seed), init_options(config));
  const Transformer<Scalar> net(root, transformer_config(config, sizes));
  return order_difference<Scalar>(net, random_row(static_cast<std::uint64_t>(seed)), order, first);
}

}  // namespace

template <typename Scalar>
double order_difference(const SequenceModel<Scalar>& net, const std::vector<TokenId>& tokens,
                        const std::vector<Index>& order, Index first) {
  std::vector<TokenId> ordered;
  for (const Index from : order) ordered.push_back(tokens.at(static_cast<std::size_t>(from)));
  const Tensor<Scalar> before = outputs(net, tokens), after = outputs(net, ordered);
  const Index width = before.shape().row_length();
  double difference = 0, largest = 0;
  for (Index i = first; i < static_cast<Index>(order.size()); ++i) {
    const Scalar* x = before.data() + order[static_cast<std::size_t>(i)] * width;
    const Scalar* y = after.data() + i * width;
    for (Index j = 0; j < width; ++j) {
      difference = std::max(difference, static_cast<double>(std::abs(y[j] - x[j])));
      largest = std::max(largest, static_cast<double>(std::abs(x[j])));
    }
  }
  return difference / largest;
}

template <typename Scalar>
OrderDifferences order_differences(PositionKind position, Index seeds) {
  OrderDifferences worst;
  const auto raise = [](double& to, double value) { to = std::max(to, value); };
  for (Index seed = 1; seed <= seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    const auto any = random_order(number, kRowLength);
    const auto earlier = random_order(number, kRowLength - 1);
    const Index last = kRowLength - 1;
    raise(worst.encoder_permuted,
          fresh_difference<Scalar>(ModelKind::kEncoder, position, 2, seed, any, 0));
    raise(worst.encoder_reversed,
          fresh_difference<Scalar>(ModelKind::kEncoder, position, 2, seed, back_to_front(), 0));
    raise(worst.decoder_one_layer,
          fresh_difference<Scalar>(ModelKind::kDecoder, position, 1, seed, earlier, last));
    raise(worst.decoder_two_layers,
          fresh_difference<Scalar>(ModelKind::kDecoder, position, 2, seed, earlier, last));
  }
  return worst;
}

template double order_difference<float>(const SequenceModel<float>&, const std::vector<TokenId>&,
                                        const std::vector<Index>&, Index);
template double order_difference<double>(const SequenceModel<double>&, const std::vector<TokenId>&,
                                         const std::vector<Index>&, Index);
template OrderDifferences order_differences<float>(PositionKind, Index);
template OrderDifferences order_differences<double>(PositionKind, Index);

}  // namespace tapehead
