#pragma once

#include "autograd/kernels/attention_block.h"

// Step 1 of the attention kernels, and the bias of step 2, for one block of queries.

namespace tapehead::kernels::detail {

/// 1  scores of the block's queries and the keys that they see, capped if there is a cap.
template <typename Scalar>
void scores_forward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* scores);

/// 1 backward: from d_scores, which is overwritten, to dq, and added to the other gradients.
template <typename Scalar>
void scores_backward(const Block<Scalar>& x, const Scratch<Scalar>& own, Scalar* d_scores,
                     const ScoreGradients<Scalar>& d);

/// Adds the bias of the distances to the scores of query i for keys [0, end); one that
/// forbids sets -inf, whatever the score.
template <typename Scalar>
void add_distance_bias(const Block<Scalar>& x, Index i, Index end, Scalar* scores);

}  // namespace tapehead::kernels::detail
