#include "autograd/ops/permute.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include "autograd/kernels/permute.h"
#include "base/error.h"

namespace tapehead {

namespace {

// A permutation of at most kMaxRank axes: the backward closure holds it without the heap.
struct Axes {
  std::array<int, Shape::kMaxRank> of{};
  std::size_t rank = 0;
  std::span<const int> span() const { return {of.data(), rank}; }
};

Axes checked_axes(const Shape& shape, std::span<const int> axes) {
  Axes result;
  std::array<bool, Shape::kMaxRank> seen{};
  bool valid = static_cast<int>(axes.size()) == shape.rank();
  for (std::size_t d = 0; valid && d < axes.size(); ++d) {
    const int axis = shape.normalized_axis("permute", axes[d]);
    valid = !std::exchange(seen[static_cast<std::size_t>(axis)], true);
    result.of[result.rank++] = axis;
  }
  if (!valid) {
    throw ShapeError(fmt::format(
        "permute: axes ({}) for shape {}; each of its {} dimensions is needed exactly once",
        fmt::join(axes, ", "), shape.str(), shape.rank()));
  }
  return result;
}

Axes inverse(const Axes& axes) {
  Axes result = axes;
  for (std::size_t d = 0; d < axes.rank; ++d) {
    result.of[static_cast<std::size_t>(axes.of[d])] = static_cast<int>(d);
  }
  return result;
}

template <typename Scalar>
Tensor<Scalar> permuted(Tape<Scalar>& tape, const Tensor<Scalar>& x, const Axes& axes) {
  Shape shape = x.shape();
  for (std::size_t d = 0; d < axes.rank; ++d) {
    shape = shape.with_dim(static_cast<int>(d), x.shape()[axes.of[d]]);
  }
  Tensor<Scalar> y = tape.allocate(shape);
  kernels::permute(x.data(), x.shape(), axes.span(), y.data(), tape.threads());
  return y;
}

}  // namespace

template <typename Scalar>
Var<Scalar> permute(const Var<Scalar>& x, std::span<const int> axes) {
  const Axes forward = checked_axes(x.shape(), axes);
  const Axes back = inverse(forward);
  return x.tape().record(
      Op::permute, permuted(x.tape(), x.value(), forward), {x},
      [x, back](Tape<Scalar>& t, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
        t.add_grad(x, permuted(t, dy, back));
      });
}

template Var<float> permute(const Var<float>&, std::span<const int>);
template Var<double> permute(const Var<double>&, std::span<const int>);

}  // namespace tapehead
