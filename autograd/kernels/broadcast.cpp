#include "autograd/kernels/broadcast.h"

#include "autograd/kernels/reduce.h"

namespace tapehead::kernels {

namespace {

// Columns of a sum over rows that a thread takes at a time: a few cache lines.
constexpr Index kSumColumnsPerChunk = 256;

// Size of the i-th dimension from the end; a missing one counts as 1.
Index size_from_end(const Shape& shape, int i) {
  return i < shape.rank() ? shape[shape.rank() - 1 - i] : 1;
}

}  // namespace

Broadcast::Broadcast(const Shape& a, const Shape& b, const Shape& result) : size_(result.size()) {
  Index a_stride = 1;
  Index b_stride = 1;
  for (int i = 0; i < result.rank(); ++i) {
    const Index size = size_from_end(result, i);
    if (size == 1) continue;
    const Dim dim{size, size_from_end(a, i) == 1 ? 0 : a_stride,
                  size_from_end(b, i) == 1 ? 0 : b_stride};
    a_stride *= size_from_end(a, i);
    b_stride *= size_from_end(b, i);
    Dim& last = dims_[static_cast<std::size_t>(std::max(rank_ - 1, 0))];
    const bool runs_on = rank_ > 0 && dim.a_stride == last.a_stride * last.size &&
                         dim.b_stride == last.b_stride * last.size;
    if (runs_on) {
      last.size *= size;
    } else {
      dims_[static_cast<std::size_t>(rank_++)] = dim;
    }
  }
}

Broadcast::Offsets Broadcast::row_start(Index row) const {
  Offsets at;
  for (int d = 1; d < rank_; ++d) {
    const Dim& dim = dims_[static_cast<std::size_t>(d)];
    const Index i = row % dim.size;
    at.a += i * dim.a_stride;
    at.b += i * dim.b_stride;
    row /= dim.size;
  }
  return at;
}

template <typename Scalar>
void add_to_shape(const Scalar* full, const Shape& full_shape, Scalar* x, const Shape& x_shape,
                  int threads) {
  const Broadcast plan(x_shape, full_shape, full_shape);
  if (plan.size() == 0) return;
  const Index rows = plan.size() / plan.inner();
  if (!plan.a_advances()) {
    for (Index r = 0; r < rows; ++r) {
      x[plan.row_start(r).a] += sum(full + r * plan.inner(), plan.inner());
    }
    return;
  }
  parallel_chunks(threads, plan.inner(), kSumColumnsPerChunk, [&](Index begin, Index end) {
    for (Index r = 0; r < rows; ++r) {
      Scalar* __restrict to = x + plan.row_start(r).a;
      const Scalar* __restrict from = full + r * plan.inner();
      for (Index c = begin; c < end; ++c) to[c] += from[c];
    }
  });
}

template void add_to_shape(const float*, const Shape&, float*, const Shape&, int);
template void add_to_shape(const double*, const Shape&, double*, const Shape&, int);

}  // namespace tapehead::kernels
