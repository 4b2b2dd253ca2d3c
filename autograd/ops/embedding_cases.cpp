#include "autograd/ops/embedding.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> embedding_cases() {
  const auto lookup = [](const TokenTensor& tokens) {
    return [tokens](auto in) { return embedding(in[0], tokens); };
  };
  return {
      grad_case("repeated_tokens", {randn({4, 3}, 1)}, lookup({{2, 3}, {0, 2, 2, 3, 2, 0}})),
      grad_case("one_token", {randn({5, 2}, 2)}, lookup({{1}, {4}})),
      grad_case("scalar_token", {randn({3, 2}, 3)}, lookup(TokenTensor::scalar(1))),
      grad_case("width_one", {randn({3, 1}, 4)}, lookup({{4}, {0, 1, 2, 1}})),
      grad_case("no_tokens", {randn({3, 2}, 5)}, lookup({{0}, {}})).expecting_zero_gradient(),
  };
}

}  // namespace tapehead::cases
