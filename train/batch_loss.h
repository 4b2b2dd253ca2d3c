#pragma once

#include <vector>

#include "data/batch.h"
#include "layers/sequence_model.h"

// What a model makes of rows of a batch: its input, its predictions at the counted targets, and
// their loss.

namespace tapehead {

/// The number of targets in rows [first, first + rows) that are counted in the loss.
Index counted_targets(const Batch& batch, Index first, Index rows);

/// Rows [first, first + rows) of `tokens`, which has `length` tokens a row, in the tape's memory.
TokenTensor token_rows(Tape<float>& tape, const std::vector<TokenId>& tokens, Index length,
                       Index first, Index rows);

/// Rows [first, first + rows) of what a model reads of the batch, in the tape's memory.
SequenceInput<float> input_rows(Tape<float>& tape, const Batch& batch, Index first, Index rows);

/// True if none of the `n` logits is larger than the target's, and none before it as large.
bool ranks_first(const float* logits, Index n, TokenId target);

/// What the model predicts at the counted targets of rows [first, first + rows), in their order:
/// (counted, vocabulary or outputs). `trace`, if given, is filled.
Var<float> predict_counted(Tape<float>& tape, const SequenceModel<float>& net, const Batch& batch,
                           Index first, Index rows, ModelTrace<float>* trace = nullptr);

/// The counted targets of some rows, in their order, in a tape's memory.
struct CountedTargets {
  Index count = 0;
  TokenTensor tokens;     ///< (count); undefined where targets are real numbers
  Tensor<float> numbers;  ///< (count, outputs); undefined where they are tokens
};
/// Those of rows [first, first + rows).
CountedTargets copy_counted_targets(Tape<float>& tape, const Batch& batch, Index first, Index rows);

/// The loss of what predict_counted() gave for these targets: the cross-entropy, or of real numbers
/// the mean squared error, summed over the targets and divided by `normalizer`. Throws ValueError
/// for label smoothing of real numbers.
Var<float> counted_loss(const Var<float>& predicted, const CountedTargets& targets,
                        double normalizer, double label_smoothing = 0);

}  // namespace tapehead
