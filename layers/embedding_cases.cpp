#include "layers/embedding.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> embedding_layer_cases() {
  const TokenTensor tokens({2, 3}, {0, 4, 1, 4, 4, 2});
  const auto table = [tokens](const auto& at) {
    return [e = make_layer<Embedding>(at / "token", 5, 3), tokens](auto& tape, auto) {
      return e->forward(tape, tokens);
    };
  };
  // Used twice, as a model with a tied output does: both gradients meet in one table.
  const auto tied = [tokens](const auto& at) {
    return [e = make_layer<Embedding>(at / "token", 5, 3), tokens](auto& tape, auto) {
      return e->scores(e->forward(tape, tokens));
    };
  };
  return {layer_case("table", {}, table), layer_case("tied_scores", {}, tied)};
}

}  // namespace tapehead::cases
