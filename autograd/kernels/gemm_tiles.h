#pragma once

#include "autograd/kernels/gemm.h"

namespace tapehead::kernels {

/// The product, on one thread, in tiles of c that stay in registers while a row of op(b) after the
/// other is added to them (Goto and van de Geijn 2008, "Anatomy of high-performance matrix
/// multiplication", without packing a where it can be read in place). Every number of c is the sum
/// over k in its order, in blocks of kDepth of which the sums are added; it does not depend on m, n
/// or the rest of the matrices. Does not touch the heap.
template <typename Scalar>
void gemm_tiles(const Gemm<Scalar>& product);

}  // namespace tapehead::kernels
