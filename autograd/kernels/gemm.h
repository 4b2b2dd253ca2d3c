#pragma once

#include "base/types.h"

namespace tapehead {

/// One matrix product on row-major raw memory: c = alpha * op(a) * op(b) + beta * c, where op
/// transposes if asked. op(a) is m x k, op(b) k x n, c m x n; ld* are the distances between rows.
/// With beta = 0, c is overwritten and may hold anything before. c overlaps neither a nor b.
template <typename Scalar>
struct Gemm {
  Index m = 0, n = 0, k = 0;
  const Scalar* a = nullptr;
  Index lda = 0;
  bool transpose_a = false;
  const Scalar* b = nullptr;
  Index ldb = 0;
  bool transpose_b = false;
  Scalar* c = nullptr;
  Index ldc = 0;
  Scalar alpha = 1;
  Scalar beta = 0;
};

/// Computes the product in tiles that stay in registers (kernels/gemm_tiles.h), or by Eigen in a
/// project built with TAPEHEAD_GEMM = eigen; one or two rows, row by row. With `threads` = 0 the
/// product is computed whole, on the calling thread. With `threads` >= 1 rows of c are cut into
/// chunks whose size the product alone decides, each computed by one of up to `threads` threads:
/// the bits are the same for every `threads` >= 1.
template <typename Scalar>
void gemm(const Gemm<Scalar>& product, int threads = 0);

/// The same product by Eigen, on one thread.
template <typename Scalar>
void gemm_eigen(const Gemm<Scalar>& product);

/// What gemm() computes with: "tiles" or "eigen".
const char* gemm_library();

}  // namespace tapehead
