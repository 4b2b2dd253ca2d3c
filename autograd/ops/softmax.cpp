#include "autograd/ops/softmax.h"

#include "autograd/kernels/axis.h"
#include "autograd/kernels/softmax.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kSlicesPerChunk = 64;

template <typename Scalar>
void softmax_forward(const Tensor<Scalar>& x, int axis, Tensor<Scalar>& y, int threads) {
  const kernels::AxisView view(x.shape(), axis);
  parallel_chunks(threads, view.slices(), kSlicesPerChunk, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      const Index at = view.start(s);
      kernels::softmax(x.data() + at, y.data() + at, view.length, view.inner);
    }
  });
}

template <typename Scalar>
void softmax_backward(const Tensor<Scalar>& y, const Tensor<Scalar>& dy, int axis,
                      Tensor<Scalar>& dx, int threads) {
  const kernels::AxisView view(y.shape(), axis);
  parallel_chunks(threads, view.slices(), kSlicesPerChunk, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      const Index at = view.start(s);
      kernels::softmax_backward(y.data() + at, dy.data() + at, dx.data() + at, view.length,
                                view.inner);
    }
  });
}

}  // namespace

template <typename Scalar>
Var<Scalar> softmax(const Var<Scalar>& x, int axis) {
  axis = x.shape().normalized_axis("softmax", axis);
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate(x.shape());
  softmax_forward(x.value(), axis, y, tape.threads());
  return tape.record(
      Op::softmax, y, {x},
      [x, axis](Tape<Scalar>& t, const Tensor<Scalar>& out, const Tensor<Scalar>& dy) {
        Tensor<Scalar> dx = t.allocate(out.shape());
        softmax_backward(out, dy, axis, dx, t.threads());
        t.add_grad(x, dx);
      });
}

template Var<float> softmax(const Var<float>&, int);
template Var<double> softmax(const Var<double>&, int);

}  // namespace tapehead
