#include "studies/softmax_rows.h"

#include <algorithm>
#include <cmath>

#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/logsumexp.h"
#include "figures/attention_statistics.h"

namespace tapehead {

namespace {

constexpr std::size_t kNumbersOfAnEstimate = 5;

// What the passes computed, cut into rows of n numbers.
template <typename Scalar>
struct PassResult {
  Tensor<Scalar> logits, weights, grad_logits, grad_query, grad_cross_entropy, log_sum_exp;
  Index n = 0, d = 0;

  static std::span<const Scalar> row(const Tensor<Scalar>& x, Index r, Index width) {
    return x.values().subspan(static_cast<std::size_t>(r * width), static_cast<std::size_t>(width));
  }
};

// The gradient of sum_rows -ln p_y at the logits, and ln sum exp of each row.
template <typename Scalar>
void run_cross_entropy(const SoftmaxProblem<Scalar>& p, PassResult<Scalar>& result) {
  const Index rows = p.labels.size();
  Tape<Scalar> tape;
  const Var<Scalar> logits = tape.leaf(result.logits.reshaped({rows, result.n}), true);
  result.log_sum_exp = logsumexp(logits).value();
  CrossEntropyOptions options;
  options.normalizer = 1;  // the sum
  tape.backward(cross_entropy(logits, p.labels, options));
  result.grad_cross_entropy = logits.grad();
}

template <typename Scalar>
PassResult<Scalar> run_passes(const SoftmaxProblem<Scalar>& p) {
  Tape<Scalar>& tape = p.q.tape();
  const Index rows = p.labels.size(), n = p.k.dim(1);
  AttentionOptions options;
  options.heads = options.kv_heads = rows;
  options.scale = p.scale;
  const Var<Scalar> values = tape.leaf(tape.allocate_zeros({1, n, rows}));
  // With one query, the gradient of a bias of each distance is that of each logit.
  const Var<Scalar> bias = tape.leaf(tape.allocate_zeros({rows, n}), true);
  tape.keep_grad(p.q);
  const Var<Scalar> weights = attention_with_weights(p.q, p.k, values, options, bias).weights;
  Tensor<Scalar> u = tape.allocate(weights.shape());
  std::ranges::transform(p.u, u.data(), [](double x) { return static_cast<Scalar>(x); });
  tape.backward(weights, u);

  PassResult<Scalar> result;
  result.n = n;
  result.d = p.q.dim(2) / rows;
  result.logits = attention_scores(p.q, p.k, {}, options, bias);
  result.weights = weights.value();
  result.grad_logits = bias.grad();
  result.grad_query = p.q.grad();
  run_cross_entropy(p, result);
  return result;
}

// Of the logits and of the dot products before the scale.
template <typename Scalar>
void measure_logits(std::span<const Scalar> logits, const SoftmaxProblem<Scalar>& p,
                    SoftmaxRows& rows) {
  const auto n = static_cast<double>(logits.size());
  double sum = 0, sizes = 0, fourth = 0, squares = 0;
  for (const Scalar logit : logits) {
    const double dot = static_cast<double>(logit) / p.scale;
    sum += static_cast<double>(logit);
    sizes += std::abs(dot);
    fourth += dot * dot * dot * dot;
  }
  for (const Scalar logit : logits) {
    const double x = static_cast<double>(logit) - sum / n;
    squares += x * x;
  }
  rows[RowMeasure::kAbsDot].push_back(sizes / n);
  rows[RowMeasure::kKurtosis].push_back(fourth / n / (p.dot_variance * p.dot_variance));
  rows[RowMeasure::kLogitVariance].push_back(squares / (n - 1));
}

template <typename Scalar>
void measure_weights(std::span<const Scalar> weights, SoftmaxRows& rows) {
  constexpr double kNearlyOne = 0.99, kHardlyAny = 1e-3;
  const double top = largest(weights), jacobian = softmax_jacobian_norm(weights);
  const auto zeros = static_cast<double>(std::ranges::count(weights, Scalar(0)));
  rows[RowMeasure::kEntropy].push_back(entropy(weights));
  rows[RowMeasure::kMaxWeight].push_back(top);
  rows[RowMeasure::kSumSquares].push_back(sum_of_squares(weights));
  rows[RowMeasure::kJacobian].push_back(jacobian);
  rows[RowMeasure::kJacobianSquare].push_back(jacobian * jacobian);
  rows[RowMeasure::kExactOne].push_back(top == 1 ? 1 : 0);
  rows[RowMeasure::kZeroWeights].push_back(zeros / static_cast<double>(weights.size()));
  rows[RowMeasure::kAbove99].push_back(top > kNearlyOne ? 1 : 0);
  rows[RowMeasure::kNoSignal].push_back(jacobian < kHardlyAny ? 1 : 0);
}

void add_norm(double norm, RowMeasure measure, RowMeasure square, SoftmaxRows& rows) {
  rows[measure].push_back(norm);
  rows[square].push_back(norm * norm);
}

}  // namespace

std::vector<double> SoftmaxRows::summary() const {
  std::vector<double> numbers;
  for (const std::vector<double>& samples : rows_) {
    const Estimate e = estimate_with_quantiles(samples);
    numbers.insert(numbers.end(), {e.mean, e.se});
    numbers.insert(numbers.end(), e.quantiles->begin(), e.quantiles->end());
  }
  return numbers;
}

SoftmaxSummary::SoftmaxSummary(std::span<const double> numbers) {
  for (std::size_t i = 0; i < kSize; i += kNumbersOfAnEstimate) {
    estimates_.push_back(
        {numbers[i], numbers[i + 1], {{numbers[i + 2], numbers[i + 3], numbers[i + 4]}}});
  }
}

Estimate SoftmaxSummary::root(RowMeasure square) const {
  const Estimate& e = (*this)[square];
  Estimate result{std::sqrt(e.mean), e.se / (2 * std::sqrt(e.mean)), e.quantiles};
  for (double& q : *result.quantiles) q = std::sqrt(q);
  return result;
}

template <typename Scalar>
void measure_rows(const SoftmaxProblem<Scalar>& problem, SoftmaxRows& rows) {
  const PassResult<Scalar> pass = run_passes(problem);
  for (Index r = 0; r < problem.labels.size(); ++r) {
    const auto row = [&](const Tensor<Scalar>& x, Index width) { return pass.row(x, r, width); };
    measure_logits(row(pass.logits, pass.n), problem, rows);
    measure_weights(row(pass.weights, pass.n), rows);
    const double at_logits = euclidean_norm(row(pass.grad_logits, pass.n));
    add_norm(at_logits, RowMeasure::kGradLogits, RowMeasure::kGradLogitsSquare, rows);
    rows[RowMeasure::kZeroGradient].push_back(at_logits == 0 ? 1 : 0);
    add_norm(euclidean_norm(row(pass.grad_query, pass.d)), RowMeasure::kGradQuery,
             RowMeasure::kGradQuerySquare, rows);
    add_norm(euclidean_norm(row(pass.grad_cross_entropy, pass.n)), RowMeasure::kGradCrossEntropy,
             RowMeasure::kGradCrossEntropySquare, rows);
    rows[RowMeasure::kLogSumExp].push_back(static_cast<double>(pass.log_sum_exp[r]));
  }
}

template void measure_rows(const SoftmaxProblem<float>&, SoftmaxRows&);
template void measure_rows(const SoftmaxProblem<double>&, SoftmaxRows&);

}  // namespace tapehead
