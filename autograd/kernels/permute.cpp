#include "autograd/kernels/permute.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"

namespace tapehead::kernels {

namespace {

struct Dim {
  Index size, stride;  // stride in x, in elements
};

// The dimensions of y, innermost first; those that lie one after the other in x too are merged.
struct Plan {
  std::array<Dim, Shape::kMaxRank> dims{{{1, 1}}};
  std::size_t rank = 0;

  Plan(const Shape& shape, std::span<const int> axes) {
    std::array<Index, Shape::kMaxRank> strides{};
    Index stride = 1;
    for (int d = shape.rank() - 1; d >= 0; --d) {
      strides[static_cast<std::size_t>(d)] = stride;
      stride *= shape[d];
    }
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      const Dim dim{shape[*axis], strides[static_cast<std::size_t>(*axis)]};
      if (dim.size == 1) continue;
      if (rank > 0 && dim.stride == dims[rank - 1].stride * dims[rank - 1].size) {
        dims[rank - 1].size *= dim.size;
      } else {
        dims[rank++] = dim;
      }
    }
  }
  // Where in x row `row` of y begins.
  Index row_start(Index row) const {
    Index at = 0;
    for (std::size_t d = 1; d < rank; ++d) {
      at += row % dims[d].size * dims[d].stride;
      row /= dims[d].size;
    }
    return at;
  }
};

}  // namespace

template <typename Scalar>
void permute(const Scalar* x, const Shape& shape, std::span<const int> axes, Scalar* y,
             int threads) {
  if (shape.size() == 0) return;
  const Plan plan(shape, axes);
  const Index n = plan.dims[0].size;
  const Index stride = plan.dims[0].stride;
  const Index rows_per_chunk = std::max<Index>(1, kElementsPerChunk / n);
  parallel_chunks(threads, shape.size() / n, rows_per_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Scalar* __restrict from = x + plan.row_start(row);
      Scalar* __restrict to = y + row * n;
      if (stride == 1) {
        std::copy_n(from, n, to);
      } else {
        for (Index i = 0; i < n; ++i) to[i] = from[i * stride];
      }
    }
  });
}

template void permute(const float*, const Shape&, std::span<const int>, float*, int);
template void permute(const double*, const Shape&, std::span<const int>, double*, int);

}  // namespace tapehead::kernels
