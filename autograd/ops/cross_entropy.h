#pragma once

#include "autograd/tape.h"

namespace tapehead {

struct CrossEntropyOptions {
  TokenId ignore_index = kIgnoreTarget;  ///< a place with this target is not counted
  double label_smoothing = 0;            ///< share of the target spread over all classes, in [0, 1]
  /// What the sum of the losses is divided by; 0: the number of this call's counted places. When a
  /// batch is cut into several calls, give each the number of counted places of the whole batch.
  double normalizer = 0;
};

/// Mean cross-entropy of softmax(logits) against the targets, over the counted places.
///
///   q  = (1 - s) onehot(target) + s / V                      s = label_smoothing
///   y  = sum over counted rows of -sum_j q_j log p_j / normalizer,  p = softmax(logits)
///   dx = (p - q) dy / normalizer for counted rows, 0 for others
///
/// logits: (..., V); targets: the same shape without V; y: a scalar, 0 if nothing is counted.
/// Throws ShapeError if the shapes do not fit, ValueError for a target outside [0, V) other than
/// ignore_index (naming value and place) and for options outside their range. Keeps for backward:
/// dx for dy = 1, as large as the logits.
template <typename Scalar>
Var<Scalar> cross_entropy(const Var<Scalar>& logits, const TokenTensor& targets,
                          const CrossEntropyOptions& options = {});

}  // namespace tapehead
