#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "data/task.h"
#include "layers/transformer.h"

namespace tapehead {

/// How well a model does on held-out data.
struct Evaluation {
  double loss = 0;            ///< mean cross-entropy over all counted tokens, in nats
  double token_accuracy = 0;  ///< share of counted tokens that the model ranks first
                              ///< (all NaN if the rows ask for nothing)
  /// Share of rows whose counted tokens are all right, of those that have any; absent where rows
  /// mean nothing (text).
  std::optional<double> accuracy;
};

/// Evaluates on the first `rows` held-out rows of the task (0: on all). The result does not depend
/// on `threads`, and nothing about the model or its training changes.
Evaluation evaluate(const Transformer<float>& net, const Task& task, int threads, Index rows = 0);

/// The same, given up as soon as `stop` returns true; then there is no result. `stop` is called
/// every few rows, by any of the threads.
std::optional<Evaluation> evaluate_until(const std::function<bool()>& stop,
                                         const Transformer<float>& net, const Task& task,
                                         int threads, Index rows = 0);

/// The token with the largest logit at each position: logits (..., V), first of equals.
std::vector<TokenId> most_likely(const Tensor<float>& logits);

}  // namespace tapehead
