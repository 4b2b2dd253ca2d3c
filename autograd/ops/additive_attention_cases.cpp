#include "autograd/ops/additive_attention.h"

#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

namespace {

// q (batch, n_q, heads * d), k (batch, n_k, kv * d), v (batch, n_k, kv * d_v), score weight
std::vector<Tensor<double>> additive_inputs(std::uint64_t seed, Index batch, Index n_q, Index n_k,
                                            const AttentionOptions& o, Index d, Index d_v) {
  return {randn({batch, n_q, o.heads * d}, seed), randn({batch, n_k, o.kv_heads * d}, seed + 1),
          randn({batch, n_k, o.kv_heads * d_v}, seed + 2), randn({o.heads, d}, seed + 3)};
}

AttentionOptions additive_options(Index heads, Index kv_heads, Mask mask = {}) {
  AttentionOptions o;
  o.heads = heads;
  o.kv_heads = kv_heads;
  o.mask = std::move(mask);
  return o;
}

GradCase additive_case(std::string name, std::vector<Tensor<double>> in,
                       const AttentionOptions& o) {
  return grad_case(std::move(name), std::move(in),
                   [o](auto x) { return additive_attention(x[0], x[1], x[2], x[3], o); });
}

}  // namespace

std::vector<GradCase> additive_attention_cases() {
  const AttentionOptions single = additive_options(1, 1);
  const AttentionOptions causal = additive_options(2, 2, Mask::causal());
  const AttentionOptions multi_query = additive_options(3, 1, Mask::causal());
  AttentionOptions grouped = additive_options(4, 2, Mask::key_lengths({3, 1}));
  grouped.keep_weights = false;
  // Query 1 sees nothing, key 2 is seen by nobody.
  const AttentionOptions holes = additive_options(
      1, 1, Mask::may_attend(Tensor<std::uint8_t>({3, 4}, {1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1})));
  AttentionOptions capped = additive_options(2, 1, Mask::causal());
  capped.soft_cap = 0.7;
  capped.scale = 1.3;
  const auto weights = [causal](auto x) {
    return additive_attention_with_weights(x[0], x[1], x[2], x[3], causal).weights;
  };
  const auto output_of_pair = [multi_query](auto x) {
    return additive_attention_with_weights(x[0], x[1], x[2], x[3], multi_query).output;
  };
  const auto biased = [capped](auto x) {
    return additive_attention(x[0], x[1], x[2], x[3], capped, x[4]);
  };
  auto with_bias = additive_inputs(70, 2, 2, 3, capped, 2, 2);
  with_bias.push_back(randn({2, 4}, 75));
  return {
      additive_case("single_head", additive_inputs(10, 2, 3, 4, single, 3, 2), single),
      additive_case("multi_head_causal", additive_inputs(20, 2, 3, 3, causal, 2, 3), causal),
      additive_case("multi_query_longer_keys", additive_inputs(30, 1, 2, 5, multi_query, 3, 2),
                    multi_query),
      additive_case("grouped_key_lengths", additive_inputs(40, 2, 2, 3, grouped, 2, 2), grouped),
      additive_case("masked_row_and_hidden_key", additive_inputs(50, 1, 3, 4, holes, 2, 2), holes),
      additive_case("no_batch", additive_inputs(60, 0, 2, 3, single, 2, 2), single),
      grad_case("distance_bias_scale_soft_cap", with_bias, biased),
      grad_case("weights", additive_inputs(80, 2, 3, 3, causal, 2, 2), weights),
      grad_case("output_beside_weights", additive_inputs(85, 1, 3, 3, multi_query, 2, 2),
                output_of_pair),
  };
}

}  // namespace tapehead::cases
