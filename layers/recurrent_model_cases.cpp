#include "layers/recurrent_model.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> recurrent_model_layer_cases() {
  const TokenTensor tokens({2, 3}, {0, 3, 1, 2, 2, 0});
  RecurrentModelConfig c;
  c.vocabulary = 4;
  c.d_model = 3;
  c.tie_embeddings = true;
  const auto on_tokens = [c, tokens](const auto& at) {
    return [model = make_layer<RecurrentModel>(at, c), tokens](auto& tape, auto) {
      return model->forward(tape, tokens);
    };
  };
  return {layer_case("lstm_tied", {}, on_tokens)};
}

}  // namespace tapehead::cases
