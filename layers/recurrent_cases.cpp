#include "layers/recurrent.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> recurrent_layer_cases() {
  const auto layer = [](const RecurrentConfig& config) {
    return [config](const auto& at) {
      return [net = make_layer<Recurrent>(at, config)](auto& tape, auto in) {
        tape.context().training = true;
        return net->forward(in[0]);
      };
    };
  };
  RecurrentConfig c;
  c.input = 3;
  c.hidden = 2;
  c.layers = 2;
  const std::vector<Tensor<double>> x = {randn({2, 3, 3}, 1)};
  std::vector<GradCase> cases;
  c.cell = CellKind::kRnn;
  cases.push_back(layer_case("rnn", x, layer(c)));
  c.cell = CellKind::kLstm;
  c.dropout = 0.3;
  cases.push_back(layer_case("lstm_dropout", x, layer(c)));
  c.cell = CellKind::kGru;
  c.dropout = 0.0;
  c.bias = false;
  cases.push_back(layer_case("gru_without_bias", x, layer(c)));
  return cases;
}

}  // namespace tapehead::cases
