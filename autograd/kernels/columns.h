#pragma once

#include "base/types.h"

namespace tapehead::kernels {

/// sum_j += sum_r x_rj for a matrix of `rows` rows of `width` numbers; rows are added in order, so
/// the bits are the same for any number of threads.
template <typename Scalar>
void add_column_sums(const Scalar* x, Index rows, Index width, Scalar* sum, int threads);

/// sum_j += sum_r dy_rj (x_rj - mean_r) rstd_r: the gradient of the weight of a normalisation. A
/// null `mean` counts as zeros.
template <typename Scalar>
void add_normalized_column_sums(const Scalar* dy, const Scalar* x, const Scalar* mean,
                                const Scalar* rstd, Index rows, Index width, Scalar* sum,
                                int threads);

}  // namespace tapehead::kernels
