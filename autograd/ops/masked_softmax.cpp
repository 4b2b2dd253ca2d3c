#include "autograd/ops/masked_softmax.h"

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/broadcast_index.h"
#include "autograd/kernels/softmax.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kRowsPerChunk = 64;

// The mask of each row of x.
class MaskRows {
 public:
  MaskRows(const Tensor<std::uint8_t>& mask, const Shape& x)
      : mask_(mask), first_(mask.shape(), x) {
    row_length_ = x.row_length();
    stride_ = mask.shape().row_length() == row_length_ ? 1 : 0;
  }
  const std::uint8_t* row(Index r) const { return mask_.data() + first_(r * row_length_); }
  /// Distance from one element of a row to the next; 0 if one mask serves the whole row.
  Index stride() const { return stride_; }

 private:
  Tensor<std::uint8_t> mask_;
  kernels::BroadcastIndex first_;
  Index row_length_ = 0, stride_ = 0;
};

template <typename Scalar>
void masked_softmax_forward(const Tensor<Scalar>& x, const MaskRows& mask, Tensor<Scalar>& y,
                            int threads) {
  const Index n = x.shape().row_length();
  parallel_chunks(threads, x.shape().row_count(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      kernels::masked_softmax(x.data() + r * n, mask.row(r), mask.stride(), y.data() + r * n, n);
    }
  });
}

template <typename Scalar>
void masked_softmax_backward(const Tensor<Scalar>& y, const MaskRows& mask,
                             const Tensor<Scalar>& dy, Tensor<Scalar>& dx, int threads) {
  const Index n = y.shape().row_length();
  parallel_chunks(threads, y.shape().row_count(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      kernels::masked_softmax_backward(y.data() + r * n, mask.row(r), mask.stride(),
                                       dy.data() + r * n, dx.data() + r * n, n);
    }
  });
}

void check_mask(const Shape& x, const Shape& mask) {
  if (broadcast_shapes("masked_softmax", x, mask) == x) return;
  throw ShapeError(
      fmt::format("masked_softmax: x has shape {}, mask has shape {}; the mask must broadcast to x",
                  x.str(), mask.str()));
}

}  // namespace

template <typename Scalar>
Var<Scalar> masked_softmax(const Var<Scalar>& x, const Tensor<std::uint8_t>& mask) {
  check_min_rank("masked_softmax", "x", x.shape(), 1);
  check_mask(x.shape(), mask.shape());
  const MaskRows rows(mask, x.shape());
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate(x.shape());
  masked_softmax_forward(x.value(), rows, y, tape.threads());
  return tape.record(
      Op::masked_softmax, std::move(y), {x},
      [x, rows](Tape<Scalar>& t, const Tensor<Scalar>& out, const Tensor<Scalar>& dy) {
        Tensor<Scalar> dx = t.allocate(out.shape());
        masked_softmax_backward(out, rows, dy, dx, t.threads());
        t.add_grad(x, dx);
      });
}

template Var<float> masked_softmax(const Var<float>&, const Tensor<std::uint8_t>&);
template Var<double> masked_softmax(const Var<double>&, const Tensor<std::uint8_t>&);

}  // namespace tapehead
