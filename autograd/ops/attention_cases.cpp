#include "autograd/ops/attention.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

namespace {

// q (batch, n_q, heads * d_k), k (batch, n_k, kv * d_k), v (batch, n_k, kv * d_v)
std::vector<Tensor<double>> inputs(std::uint64_t seed, Index batch, Index n_q, Index n_k,
                                   const AttentionOptions& o, Index d_k, Index d_v,
                                   double spread = 1.0) {
  return {randn({batch, n_q, o.heads * d_k}, seed, spread),
          randn({batch, n_k, o.kv_heads * d_k}, seed + 1, spread),
          randn({batch, n_k, o.kv_heads * d_v}, seed + 2)};
}

AttentionOptions with(Index heads, Index kv_heads, Mask mask = {}) {
  AttentionOptions o;
  o.heads = heads;
  o.kv_heads = kv_heads;
  o.mask = std::move(mask);
  return o;
}

GradCase attention_case(std::string name, std::vector<Tensor<double>> in,
                        const AttentionOptions& o) {
  return grad_case(std::move(name), std::move(in),
                   [o](auto x) { return attention(x[0], x[1], x[2], o); });
}

}  // namespace

std::vector<GradCase> attention_cases() {
  const AttentionOptions single = with(1, 1);
  const AttentionOptions multi_head = with(2, 2, Mask::causal());
  const AttentionOptions multi_query = with(3, 1, Mask::causal());
  const AttentionOptions grouped = with(4, 2, Mask::key_lengths({3, 1}));
  const AttentionOptions top_left = with(1, 1, Mask::causal_top_left());
  // Query 1 sees nothing, key 2 is seen by nobody.
  const AttentionOptions holes = with(
      1, 1, Mask::may_attend(Tensor<std::uint8_t>({3, 4}, {1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1})));
  const AttentionOptions biased = with(2, 1, Mask::additive(randn({2, 3, 4}, 90)) & Mask::causal());
  AttentionOptions computed_again = with(4, 2, Mask::causal());
  computed_again.keep_weights = false;
  AttentionOptions unscaled = with(1, 1);
  unscaled.scale = 1.0;
  AttentionOptions capped = with(2, 1, Mask::causal());
  capped.soft_cap = 0.8;
  AttentionOptions capped_again = capped;
  capped_again.keep_weights = false;
  const auto weights_too = [multi_head](auto x) {
    return attention_with_weights(x[0], x[1], x[2], multi_head).weights;
  };
  const auto output_of_pair = [multi_query](auto x) {
    return attention_with_weights(x[0], x[1], x[2], multi_query).output;
  };
  const auto biased_by_distance = [](const AttentionOptions& o) {
    return [o](auto x) { return attention(x[0], x[1], x[2], o, x[3]); };
  };
  const auto biased_weights = [capped](auto x) {
    return attention_with_weights(x[0], x[1], x[2], capped, x[3]).weights;
  };
  auto qk = inputs(60, 2, 3, 3, multi_head, 2, 2);
  auto far = inputs(90, 2, 2, 3, grouped, 2, 2);
  auto near = inputs(95, 2, 2, 3, capped, 2, 2);
  return {
      attention_case("single_head", inputs(10, 2, 3, 4, single, 3, 2), single),
      attention_case("multi_head_causal", inputs(20, 2, 3, 3, multi_head, 2, 3), multi_head),
      attention_case("multi_query_causal_longer_keys", inputs(30, 1, 2, 5, multi_query, 3, 2),
                     multi_query),
      attention_case("grouped_key_lengths", inputs(40, 2, 2, 3, grouped, 2, 2), grouped),
      attention_case("top_left_hides_keys", inputs(45, 1, 2, 4, top_left, 3, 2), top_left),
      attention_case("masked_row_and_hidden_key", inputs(50, 1, 3, 4, holes, 2, 2), holes),
      attention_case("weights_computed_again", inputs(57, 2, 3, 5, computed_again, 2, 3),
                     computed_again),
      attention_case("additive_and_causal", inputs(55, 2, 3, 4, biased, 2, 2), biased),
      attention_case("saturated_without_scale", inputs(70, 1, 3, 5, unscaled, 4, 2, 2.0), unscaled),
      attention_case("one_query_one_key", inputs(80, 1, 1, 1, single, 2, 2), single),
      attention_case("no_batch", inputs(85, 0, 2, 3, single, 2, 2), single),
      attention_case("soft_cap", inputs(75, 2, 3, 4, capped, 2, 2, 2.0), capped),
      attention_case("soft_cap_weights_computed_again", inputs(78, 1, 3, 4, capped, 2, 2, 2.0),
                     capped_again),
      grad_case("distance_bias", {far[0], far[1], far[2], randn({4, 4}, 91)},
                biased_by_distance(grouped)),
      grad_case("distance_bias_and_soft_cap", {near[0], near[1], near[2], randn({2, 4}, 96)},
                biased_by_distance(capped_again)),
      grad_case("distance_bias_weights", {near[0], near[1], near[2], randn({2, 4}, 97)},
                biased_weights),
      grad_case("weights", {qk[0], qk[1], qk[2]}, weights_too),
      grad_case("output_beside_weights", inputs(65, 1, 3, 3, multi_query, 2, 2), output_of_pair),
  };
}

}  // namespace tapehead::cases
