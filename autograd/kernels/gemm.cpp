#include "autograd/kernels/gemm.h"

#include <algorithm>

#include <Eigen/Core>

#include "autograd/kernels/gemm_by_rows.h"
#include "autograd/kernels/gemm_tiles.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

template <typename Scalar>
using RowMajor = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename Scalar>
using ConstView = Eigen::Map<const RowMajor<Scalar>, 0, Eigen::OuterStride<>>;
template <typename Scalar>
using View = Eigen::Map<RowMajor<Scalar>, 0, Eigen::OuterStride<>>;

template <typename Scalar, typename A, typename B>
void accumulate(View<Scalar>& c, const A& a, const B& b, Scalar alpha) {
  c.noalias() += alpha * (a * b);
}

template <typename Scalar>
void scale_c(View<Scalar>& c, Scalar beta) {
  if (beta == Scalar(0)) {
    c.setZero();
  } else if (beta != Scalar(1)) {
    c *= beta;
  }
}

// Rows of c a thread takes at a time, at least: enough for a GEMM's inner kernel to pay off.
constexpr Index kLeastRowsPerChunk = 64;

template <typename Scalar>
void gemm_one_thread(const Gemm<Scalar>& p) {
  if (kernels::suits_gemm_by_rows(p)) return kernels::gemm_by_rows(p);
#ifdef TAPEHEAD_GEMM_EIGEN
  gemm_eigen(p);
#else
  kernels::gemm_tiles(p);
#endif
}

}  // namespace

template <typename Scalar>
void gemm_eigen(const Gemm<Scalar>& p) {
  View<Scalar> c(p.c, p.m, p.n, Eigen::OuterStride<>(p.ldc));
  scale_c(c, p.beta);
  if (p.k == 0 || p.m == 0 || p.n == 0) return;
  const ConstView<Scalar> a(p.a, p.transpose_a ? p.k : p.m, p.transpose_a ? p.m : p.k,
                            Eigen::OuterStride<>(p.lda));
  const ConstView<Scalar> b(p.b, p.transpose_b ? p.n : p.k, p.transpose_b ? p.k : p.n,
                            Eigen::OuterStride<>(p.ldb));
  if (p.transpose_a && p.transpose_b) {
    accumulate(c, a.transpose(), b.transpose(), p.alpha);
  } else if (p.transpose_a) {
    accumulate(c, a.transpose(), b, p.alpha);
  } else if (p.transpose_b) {
    accumulate(c, a, b.transpose(), p.alpha);
  } else {
    accumulate(c, a, b, p.alpha);
  }
}

template <typename Scalar>
void gemm(const Gemm<Scalar>& p, int threads) {
  if (threads == 0) return gemm_one_thread(p);
  const Index chunk = std::max(kLeastRowsPerChunk, units_per_chunk(p.n * p.k));
  parallel_chunks(threads, p.m, chunk, [&p](Index begin, Index end) {
    Gemm<Scalar> rows = p;
    rows.m = end - begin;
    rows.a += p.transpose_a ? begin : begin * p.lda;
    rows.c += begin * p.ldc;
    gemm_one_thread(rows);
  });
}

#ifdef TAPEHEAD_GEMM_EIGEN
const char* gemm_library() { return "eigen"; }
#else
const char* gemm_library() { return "tiles"; }
#endif

template void gemm(const Gemm<float>&, int);
template void gemm(const Gemm<double>&, int);
template void gemm_eigen(const Gemm<float>&);
template void gemm_eigen(const Gemm<double>&);

}  // namespace tapehead
