#pragma once

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "base/shape.h"

namespace tapehead::kernels {

/// How two arrays are walked so that they fit each other under NumPy's rule. Dimensions along which
/// both arrays run on evenly are merged, so equal shapes become one dimension and a row that is
/// added to a matrix two.
class Broadcast {
 public:
  /// `result` is broadcast_shapes(a, b).
  Broadcast(const Shape& a, const Shape& b, const Shape& result);

  /// Number of elements of the result.
  Index size() const { return size_; }
  /// Length of the innermost dimension: along it each array either advances by 1 or stands still.
  Index inner() const { return dims_[0].size; }
  bool a_advances() const { return dims_[0].a_stride != 0; }
  bool b_advances() const { return dims_[0].b_stride != 0; }

  struct Offsets {
    Index a = 0, b = 0;
  };
  /// Where in a and b the innermost dimension begins for the `row`-th time.
  Offsets row_start(Index row) const;

  /// Calls run(at, n, offsets) for the result's elements [begin, end), cut at the ends of the
  /// innermost dimension: elements [at, at + n) of the result come from `offsets` on.
  template <typename Run>
  void for_each_run(Index begin, Index end, const Run& run) const {
    while (begin < end) {
      const Index row = begin / inner();
      const Index column = begin - row * inner();
      const Index n = std::min(end - begin, inner() - column);
      Offsets start = row_start(row);
      if (a_advances()) start.a += column;
      if (b_advances()) start.b += column;
      run(begin, n, start);
      begin += n;
    }
  }

 private:
  struct Dim {
    Index size, a_stride, b_stride;  // strides in elements; 0: the array is repeated
  };
  std::array<Dim, Shape::kMaxRank> dims_{{{1, 1, 1}}};  // innermost first
  int rank_ = 0;
  Index size_ = 1;
};

/// y_i = f(a_j, b_k, full_i...), where j and k are the places that broadcasting gives to i; the
/// `full` arrays have the shape of y.
template <typename Scalar, typename F, typename... Full>
void broadcast_map(const Broadcast& plan, int threads, F f, Scalar* y, const Scalar* a,
                   const Scalar* b, const Full*... full) {
  // The strides are constants of each loop, so that it vectorises.
  const auto run = [f]<Index kA, Index kB>(Index n, Scalar* __restrict out,
                                           const Scalar* __restrict left,
                                           const Scalar* __restrict right, const Full*... rest) {
    for (Index i = 0; i < n; ++i) out[i] = f(left[i * kA], right[i * kB], rest[i]...);
  };
  parallel_chunks(threads, plan.size(), kElementsPerChunk, [&](Index begin, Index end) {
    plan.for_each_run(begin, end, [&](Index at, Index n, const Broadcast::Offsets& from) {
      if (plan.a_advances() && plan.b_advances()) {
        run.template operator()<1, 1>(n, y + at, a + from.a, b + from.b, full + at...);
      } else if (plan.a_advances()) {
        run.template operator()<1, 0>(n, y + at, a + from.a, b + from.b, full + at...);
      } else {
        run.template operator()<0, 1>(n, y + at, a + from.a, b + from.b, full + at...);
      }
    });
  });
}

/// The adjoint of broadcasting: x_j += sum of the full_i to which broadcasting `x_shape` to
/// `full_shape` gives x_j.
template <typename Scalar>
void add_to_shape(const Scalar* full, const Shape& full_shape, Scalar* x, const Shape& x_shape,
                  int threads);

}  // namespace tapehead::kernels
