#pragma once

#include <vector>

#include "data/batch.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// What is differentiated by the inputs.
enum class Answered {
  kLoss,  ///< the cross-entropy of the row's target, which fades once the model is right
  kLogit  ///< the logit of the row's target, which does not
};

/// Of each row of a batch of tokens, how much one answer depends on what is read at each position:
///
///   norms[row * length + t] = || d(answer of the row) / d(embedded input of the row at t) ||_2
///
/// The embedded input is that before positions are added. `places` has the position of each row at
/// which its answer is asked for. Exactly 0 after that position if the model is causal. Throws
/// ValueError unless every place is a position that asks for something.
std::vector<double> input_gradient_norms(const SequenceModel<float>& net, const Batch& batch,
                                         const std::vector<Index>& places, Answered answered);

/// The first position of each row that asks for something.
std::vector<Index> first_asked(const Batch& batch);
/// Of each row one of those positions: of row r, which has n of them, that number r modulo n.
std::vector<Index> asked_in_turn(const Batch& batch);

}  // namespace tapehead
