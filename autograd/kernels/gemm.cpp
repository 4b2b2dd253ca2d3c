#include "autograd/kernels/gemm.h"

#include <algorithm>
#include <type_traits>

#include <Eigen/Core>

#include "autograd/kernels/gemm_by_rows.h"
#include "autograd/kernels/parallel.h"

#ifdef TAPEHEAD_HAVE_ONEDNN
#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#endif

#include <fmt/format.h>

#include "autograd/error.h"

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
#ifdef TAPEHEAD_HAVE_ONEDNN
  if constexpr (std::is_same_v<Scalar, float>) return gemm_onednn(p);
#endif
  gemm_eigen(p);
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
  const Index chunk = std::max(kLeastRowsPerChunk, kernels::units_per_chunk(p.n * p.k));
  kernels::parallel_chunks(threads, p.m, chunk, [&p](Index begin, Index end) {
    Gemm<Scalar> rows = p;
    rows.m = end - begin;
    rows.a += p.transpose_a ? begin : begin * p.lda;
    rows.c += begin * p.ldc;
    gemm_one_thread(rows);
  });
}

#ifdef TAPEHEAD_HAVE_ONEDNN

namespace {

// oneDNN takes as many threads as OpenMP offers; within this object's life that is one.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace

void gemm_onednn(const Gemm<float>& p) {
  if (p.m == 0 || p.n == 0) return;
  if (p.k == 0) return gemm_eigen(p);
  const OneThread guard;
  const dnnl_status_t status =
      dnnl_sgemm(p.transpose_a ? 'T' : 'N', p.transpose_b ? 'T' : 'N', p.m, p.n, p.k, p.alpha, p.a,
                 p.lda, p.b, p.ldb, p.beta, p.c, p.ldc);
  if (status != dnnl_success) {
    throw Error(fmt::format("gemm: oneDNN answered status {} for a {} x {} x {} product",
                            static_cast<int>(status), p.m, p.n, p.k));
  }
}

bool gemm_has_onednn() { return true; }
const char* gemm_library() { return "onednn"; }

#else

void gemm_onednn(const Gemm<float>& /*product*/) {
  throw Error("gemm: this build has no oneDNN; install libdnnl-dev and configure again");
}

bool gemm_has_onednn() { return false; }
const char* gemm_library() { return "eigen"; }

#endif

template void gemm(const Gemm<float>&, int);
template void gemm(const Gemm<double>&, int);
template void gemm_eigen(const Gemm<float>&);
template void gemm_eigen(const Gemm<double>&);

}  // namespace tapehead
