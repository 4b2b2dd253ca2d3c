#pragma once

#include <vector>

#include "autograd/tensor.h"
#include "data/batch.h"

namespace tapehead {

// How far back models look, in positions.

/// Of each head, the mean distance of what it attends to, over the positions i that ask for
/// something:
///
///   mean over rows and i of sum_j p_ij |i - j|
///
/// weights: (rows, heads, length, length) of the batch's rows. Throws ShapeError if they are not.
std::vector<double> mean_attention_distances(const Tensor<float>& weights, const Batch& batch);

/// The same of a causal head whose weights are even: mean over rows and i of i / 2.
double even_attention_distance(const Batch& batch);

/// The share of `norms` (rows, length) that lies at distance r or less before each row's place, for
/// r = 0, 1, ..., length - 1: sums over the rows of norms[place - r ... place] over those of all.
std::vector<double> share_within(const std::vector<double>& norms, const std::vector<Index>& places,
                                 Index length);

/// The smallest r with share_within >= share; the number of shares if there is none.
Index distance_of_share(const std::vector<double>& shares, double share);

}  // namespace tapehead
