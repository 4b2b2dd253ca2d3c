#include "layers/encoder_decoder.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> encoder_decoder_layer_cases() {
  const TokenTensor tokens({2, 3}, {0, 3, 1, 2, 2, 0});
  const TokenTensor padded({2, 4}, {1, 2, 0, 3, 2, 1, kPadToken, kPadToken});
  const TokenTensor whole({2, 2}, {1, 2, 4, 3});
  const auto layer = [tokens](const EncoderDecoderConfig& config, const TokenTensor& sources) {
    return [config, tokens, sources](const auto& at) {
      return [model = make_layer<EncoderDecoder>(at, config), tokens, sources](auto& tape, auto) {
        return model->head(model->hidden(tape, {.tokens = tokens, .sources = sources}));
      };
    };
  };
  EncoderDecoderConfig shared;
  shared.vocabulary = 4;
  shared.source_length = 4;
  shared.trunk.length = 3;
  shared.trunk.block.d_model = 4;
  shared.trunk.block.heads = 2;
  shared.trunk.block.d_ff = 3;
  EncoderDecoderConfig own = shared;
  own.source_vocabulary = 5;
  own.trunk.position = PositionKind::kSinusoidal;
  own.trunk.block.norm = NormPlacement::kPost;
  return {layer_case("shared_table_padded", {}, layer(shared, padded)),
          layer_case("own_tables_post_norm", {}, layer(own, whole))};
}

}  // namespace tapehead::cases
