#pragma once

#include <array>
#include <span>
#include <vector>

#include "autograd/tape.h"
#include "figures/figures.h"

// What softmax makes of random queries and keys, measured on the library's own attention.

namespace tapehead {

/// What is measured of each row, that is of one query with its n keys.
enum class RowMeasure {
  kAbsDot,            ///< mean |q.k|, before the scale
  kKurtosis,          ///< mean (q.k)^4 / v^2, v = E (q.k)^2 being known
  kLogitVariance,     ///< variance of the logits, with n - 1 below
  kEntropy,           ///< -sum p ln p
  kMaxWeight,         ///< max p
  kSumSquares,        ///< sum p^2
  kJacobian,          ///< ||J||_F, J = diag(p) - p p^T
  kJacobianSquare,    ///< its square
  kGradLogits,        ///< ||J u||, u ~ N(0, I) being the gradient of the weights
  kGradLogitsSquare,  ///< its square
  kGradQuery,         ///< norm of the gradient of q
  kGradQuerySquare,   ///< its square
  kGradCrossEntropy,  ///< ||p - e_y||, y uniform: the gradient of -ln p_y at the logits
  kGradCrossEntropySquare,
  kLogSumExp,     ///< ln sum exp(logit)
  kExactOne,      ///< 1 if max p == 1 in this precision, else 0
  kZeroGradient,  ///< 1 if J u == 0
  kZeroWeights,   ///< share of the weights that are 0
  kAbove99,       ///< 1 if max p > 0.99
  kNoSignal,      ///< 1 if ||J||_F < 0.001
  kCount
};

/// The numbers of each measure, one a row.
class SoftmaxRows {
 public:
  std::vector<double>& operator[](RowMeasure m) { return rows_[static_cast<std::size_t>(m)]; }
  const std::vector<double>& operator[](RowMeasure m) const {
    return rows_[static_cast<std::size_t>(m)];
  }
  /// Mean, standard error and quantiles of each measure, in their order: what a cell keeps.
  std::vector<double> summary() const;

 private:
  std::array<std::vector<double>, static_cast<std::size_t>(RowMeasure::kCount)> rows_;
};

/// The reverse of SoftmaxRows::summary().
class SoftmaxSummary {
 public:
  static constexpr std::size_t kSize = 5 * static_cast<std::size_t>(RowMeasure::kCount);

  explicit SoftmaxSummary(std::span<const double> numbers);
  /// With quantiles.
  const Estimate& operator[](RowMeasure m) const { return estimates_[static_cast<std::size_t>(m)]; }
  double mean(RowMeasure m) const { return (*this)[m].mean; }
  /// The root of the mean of `square`, with the error that follows from that of the mean; the
  /// quantiles are the roots of those of the square.
  Estimate root(RowMeasure square) const;

 private:
  std::vector<Estimate> estimates_;
};

/// What attention gets and its backward pass is given, for one row in each head.
template <typename Scalar>
struct SoftmaxProblem {
  Var<Scalar> q;  ///< (1, 1, rows * d_k); its gradient is kept
  Var<Scalar> k;  ///< (1, n, rows * d_k)
  double scale = 1;
  double dot_variance = 1;    ///< E (q.k)^2
  std::span<const double> u;  ///< rows * n
  TokenTensor labels;         ///< (rows): y of each
};

/// Runs attention() and its backward pass on q's tape, and adds a number a row to each measure. The
/// values are not mixed: u is the gradient of the weights themselves.
template <typename Scalar>
void measure_rows(const SoftmaxProblem<Scalar>& problem, SoftmaxRows& rows);

}  // namespace tapehead
