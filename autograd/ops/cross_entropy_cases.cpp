#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> cross_entropy_cases() {
  const auto loss = [](const TokenTensor& targets, const CrossEntropyOptions& options = {}) {
    return [targets, options](auto in) { return cross_entropy(in[0], targets, options); };
  };
  const TokenId none = kIgnoreTarget;
  return {
      grad_case("rows", {randn({3, 4}, 1)}, loss({{3}, {0, 3, 1}})),
      grad_case("batch", {randn({2, 2, 5}, 2)}, loss({{2, 2}, {4, 0, 1, 1}})),
      grad_case("one_row", {randn({6}, 3)}, loss(TokenTensor::scalar(2))),
      grad_case("some_ignored", {randn({4, 3}, 4)}, loss({{4}, {0, none, 2, none}})),
      grad_case("all_ignored", {randn({2, 3}, 5)}, loss({{2}, {none, none}}))
          .expecting_zero_gradient(),
      grad_case("other_ignore_index", {randn({3, 3}, 6)},
                loss({{3}, {0, 1, 2}}, {.ignore_index = 1})),
      grad_case("smoothed", {randn({3, 4}, 7)},
                loss({{3}, {1, none, 2}}, {.label_smoothing = 0.3})),
      grad_case("normalizer", {randn({2, 4}, 8)}, loss({{2}, {1, 3}}, {.normalizer = 0.5})),
      grad_case("confident", {randn({3, 5}, 9, 6.0)}, loss({{3}, {0, 1, 2}})),
      grad_case("many_classes", {randn({2, 35}, 10)}, loss({{2}, {34, 0}})),
      grad_case("one_class", {randn({2, 1}, 11)}, loss({{2}, {0, 0}})).expecting_zero_gradient(),
      grad_case("no_rows", {randn({0, 3}, 12)}, loss({{0}, {}})),
  };
}

}  // namespace tapehead::cases
