#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/task.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// How well a model does at one time step of the rows.
struct PositionEvaluation {
  Index position = 0;
  Index counted = 0;  ///< rows that ask for something there
  double loss = 0;
  double token_accuracy = 0;  ///< NaN for real targets
};

/// How well a model does on held-out data.
struct Evaluation {
  bool real = false;  ///< the targets are real numbers, which are neither right nor wrong
  /// Mean cross-entropy over all counted tokens, in nats; of real targets, the mean squared error.
  double loss = 0;
  double token_accuracy = 0;  ///< share of counted tokens that the model ranks first
                              ///< (all NaN if the rows ask for nothing, or for real numbers)
  /// Share of rows whose counted tokens are all right, of those that have any; absent where rows
  /// mean nothing (text, real numbers).
  std::optional<double> accuracy;
  /// Of each position at which some row asks for something, in their order.
  std::vector<PositionEvaluation> positions;
};

/// "token accuracy 99.00 %, whole sequences 98.00 %", or what there is of it; empty for real
/// targets.
std::string accuracy_text(const Evaluation& evaluation);

/// Evaluates on the first `rows` held-out rows of the task (0: on all). The result does not depend
/// on `threads`, and nothing about the model or its training changes.
Evaluation evaluate(const SequenceModel<float>& net, const Task& task, int threads, Index rows = 0);

/// The same, given up as soon as `stop` returns true; then there is no result. `stop` is called
/// every few rows, by any of the threads.
std::optional<Evaluation> evaluate_until(const std::function<bool()>& stop,
                                         const SequenceModel<float>& net, const Task& task,
                                         int threads, Index rows = 0);

/// What a model makes of one held-out row. The measures are NaN where the row asks for nothing.
struct RowEvaluation {
  Index counted = 0;  ///< tokens, or positions with real targets, that are asked for
  double loss = 0, token_accuracy = 0;
};
/// Of each of the first `rows` held-out rows. Throws ValueError if the task has fewer.
std::vector<RowEvaluation> evaluate_each_row(const SequenceModel<float>& net, const Task& task,
                                             Index rows);

/// The token with the largest logit at each position: logits (..., V), first of equals.
std::vector<TokenId> most_likely(const Tensor<float>& logits);

}  // namespace tapehead
