#include "layers/transformer.h"

#include <algorithm>
#include <type_traits>

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> transformer_layer_cases() {
  const TokenTensor tokens({2, 3}, {0, 3, 1, 2, 2, 0});
  const auto layer = [tokens](const TransformerConfig& config) {
    return [config, tokens](const auto& at) {
      return [model = make_layer<Transformer>(at, config), tokens](auto& tape, auto) {
        return model->forward(tape, tokens);
      };
    };
  };
  TransformerConfig decoder;
  decoder.vocabulary = 4;
  decoder.length = 3;
  decoder.layers = 1;
  decoder.block.d_model = 4;
  decoder.block.heads = 2;
  decoder.block.d_ff = 4;
  TransformerConfig encoder = decoder;
  encoder.causal = false;
  encoder.position = PositionKind::kSinusoidal;
  encoder.block.norm = NormPlacement::kPost;
  encoder.tie_embeddings = true;
  TransformerConfig real = decoder;
  real.vocabulary = 0;
  real.features = 3;
  real.outputs = 2;
  const Tensor<double> numbers = randn({2, 3, 3}, 1);
  const auto on_numbers = [real, numbers](const auto& at) {
    using Scalar = typename std::decay_t<decltype(at)>::Scalar;
    Tensor<Scalar> features(numbers.shape());
    std::ranges::transform(numbers.values(), features.data(),
                           [](double x) { return static_cast<Scalar>(x); });
    return [model = make_layer<Transformer>(at, real), features](auto& tape, auto) {
      return model->head(model->hidden(tape, {.features = features}));
    };
  };
  const auto with_positions = [&decoder, &layer](PositionKind position) {
    TransformerConfig c = decoder;
    c.position = position;
    return layer(c);
  };
  return {layer_case("decoder_t5", {}, with_positions(PositionKind::kT5)),
          layer_case("decoder_alibi", {}, with_positions(PositionKind::kAlibi)),
          layer_case("decoder_floater", {}, with_positions(PositionKind::kFloater)),
          layer_case("decoder_learned_positions", {}, layer(decoder)),
          layer_case("encoder_tied_post_norm", {}, layer(encoder)),
          layer_case("real_numbers_in_and_out", {}, on_numbers)};
}

}  // namespace tapehead::cases
