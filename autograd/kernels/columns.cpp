#include "autograd/kernels/columns.h"

#include "base/parallel.h"

namespace tapehead::kernels {

namespace {
constexpr Index kColumnsPerChunk = 128;
}  // namespace

template <typename Scalar>
void add_column_sums(const Scalar* x, Index rows, Index width, Scalar* sum, int threads) {
  parallel_chunks(threads, width, kColumnsPerChunk, [=](Index begin, Index end) {
    Scalar* __restrict total = sum;
    for (Index r = 0; r < rows; ++r) {
      const Scalar* __restrict row = x + r * width;
      for (Index j = begin; j < end; ++j) total[j] += row[j];
    }
  });
}

template <typename Scalar>
void add_normalized_column_sums(const Scalar* dy, const Scalar* x, const Scalar* mean,
                                const Scalar* rstd, Index rows, Index width, Scalar* sum,
                                int threads) {
  parallel_chunks(threads, width, kColumnsPerChunk, [=](Index begin, Index end) {
    Scalar* __restrict total = sum;
    for (Index r = 0; r < rows; ++r) {
      const Scalar center = mean == nullptr ? Scalar(0) : mean[r];
      const Scalar scale = rstd[r];
      const Scalar* __restrict dy_row = dy + r * width;
      const Scalar* __restrict x_row = x + r * width;
      for (Index j = begin; j < end; ++j) total[j] += dy_row[j] * ((x_row[j] - center) * scale);
    }
  });
}

template void add_column_sums(const float*, Index, Index, float*, int);
template void add_column_sums(const double*, Index, Index, double*, int);
template void add_normalized_column_sums(const float*, const float*, const float*, const float*,
                                         Index, Index, float*, int);
template void add_normalized_column_sums(const double*, const double*, const double*, const double*,
                                         Index, Index, double*, int);

}  // namespace tapehead::kernels
