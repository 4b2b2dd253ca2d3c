#include "figures/attention_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tapehead {

template <typename Scalar>
double entropy(std::span<const Scalar> weights) {
  double sum = 0;
  for (const Scalar weight : weights) {
    const auto p = static_cast<double>(weight);
    if (p > 0) sum -= p * std::log(p);
  }
  return sum;
}

template <typename Scalar>
double largest(std::span<const Scalar> numbers) {
  if (numbers.empty()) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(*std::ranges::max_element(numbers));
}

template <typename Scalar>
double euclidean_norm(std::span<const Scalar> numbers) {
  double sum = 0;
  for (const Scalar x : numbers) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

template <typename Scalar>
double sum_of_squares(std::span<const Scalar> weights) {
  double sum = 0;
  for (const Scalar p : weights) sum += static_cast<double>(p) * static_cast<double>(p);
  return sum;
}

template <typename Scalar>
double softmax_jacobian_norm(std::span<const Scalar> weights) {
  const auto top = std::ranges::max_element(weights);
  double diagonal = 0, pairs = 0, squares = 0, others = 0;
  for (auto at = weights.begin(); at != weights.end(); ++at) {
    const auto p = static_cast<double>(*at);
    pairs += p * p * squares;
    squares += p * p;
    if (at == top) continue;
    others += p;
    diagonal += p * p * (1 - p) * (1 - p);
  }
  if (top == weights.end()) return 0;
  const double of_top = static_cast<double>(*top) * others;  // 1 - p would be rounded to 0
  return std::sqrt(of_top * of_top + diagonal + 2 * pairs);
}

template double entropy(std::span<const float>);
template double entropy(std::span<const double>);
template double largest(std::span<const float>);
template double largest(std::span<const double>);
template double euclidean_norm(std::span<const float>);
template double euclidean_norm(std::span<const double>);
template double sum_of_squares(std::span<const float>);
template double sum_of_squares(std::span<const double>);
template double softmax_jacobian_norm(std::span<const float>);
template double softmax_jacobian_norm(std::span<const double>);

}  // namespace tapehead
