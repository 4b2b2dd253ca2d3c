#include "layers/document_attention.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> document_attention_layer_cases() {
  const auto mha = [](const auto& at) {
    return [a = make_layer<MHA>(at / "mha", 2, 3, 2, 2, 1, 2)](auto&, auto in) {
      return a->forward(in[0], in[1], in[2], Mask::causal_top_left()).output;
    };
  };
  const auto mqa_weights = [](const auto& at) {
    return [a = make_layer<MQA>(at / "mqa", 2, 3, 2, 2, 1, 2)](auto&, auto in) {
      return a->forward(in[0], in[1], in[2], Mask::none()).attention;
    };
  };
  const auto single_head = [](const auto& at) {
    return [a = make_layer<SingleHeadSelfAttention>(at / "self", 3, false)](auto&, auto in) {
      return a->forward(in[0]).output;
    };
  };
  const auto multi_head = [](const auto& at) {
    return [a = make_layer<MultiHeadSelfAttention>(at / "self", 4, 2)](auto&, auto in) {
      return a->forward(in[0], Mask::causal()).output;
    };
  };
  const std::vector<Tensor<double>> qkv{randn({2, 2, 3}, 1), randn({2, 4, 3}, 2),
                                        randn({2, 4, 2}, 3)};
  return {layer_case("mha", qkv, mha), layer_case("mqa_weights", qkv, mqa_weights),
          layer_case("single_head_without_bias", {randn({2, 3, 3}, 4)}, single_head),
          layer_case("multi_head_causal", {randn({1, 3, 4}, 5)}, multi_head)};
}

}  // namespace tapehead::cases
