#pragma once

#include <utility>

#include "autograd/kernels/broadcast.h"
#include "autograd/tape.h"

// What the elementwise ops share, so that each of their files reads like its formula.

namespace tapehead::detail {

/// Applies a formula for one number to arrays: as a forward function y_i = f(x_i), as a backward
/// function dx_i = f(x_i, y_i, dy_i).
template <typename F>
struct Each {
  F f;

  template <typename Scalar>
  void operator()(const Scalar* __restrict x, Scalar* __restrict y, Index n) const {
    for (Index i = 0; i < n; ++i) y[i] = f(x[i]);
  }
  template <typename Scalar>
  void operator()(const Scalar* __restrict x, const Scalar* __restrict y,
                  const Scalar* __restrict dy, Scalar* __restrict dx, Index n) const {
    for (Index i = 0; i < n; ++i) dx[i] = f(x[i], y[i], dy[i]);
  }
};

template <typename F>
Each<F> each(F f) {
  return {std::move(f)};
}

/// Computes and records y = forward(x) on arrays: forward(x, y, n) writes y, and
/// backward(x, y, dy, dx, n) writes dx.
template <typename Scalar, typename Forward, typename Backward>
Var<Scalar> unary_op(Op op, const Var<Scalar>& x, const Forward& forward, Backward backward) {
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate(x.shape());
  const Scalar* in = x.value().data();
  parallel_chunks(tape.threads(), y.size(), kElementsPerChunk, [&](Index begin, Index end) {
    forward(in + begin, y.data() + begin, end - begin);
  });
  return tape.record(
      op, y, {x},
      [x, backward](Tape<Scalar>& t, const Tensor<Scalar>& out, const Tensor<Scalar>& dy) {
        Tensor<Scalar> dx = t.allocate(out.shape());
        const Scalar* given = x.value().data();
        parallel_chunks(t.threads(), dx.size(), kElementsPerChunk, [&](Index begin, Index end) {
          backward(given + begin, out.data() + begin, dy.data() + begin, dx.data() + begin,
                   end - begin);
        });
        t.add_grad(x, std::move(dx));
      });
}

/// Adds `full`, which has the shape of an op's result, to the gradient of an input that was
/// broadcast to that shape.
template <typename Scalar>
void add_broadcast_grad(Tape<Scalar>& tape, const Var<Scalar>& x, Tensor<Scalar> full) {
  if (x.shape() == full.shape()) return tape.add_grad(x, std::move(full));
  tape.accumulate(x, [&](Scalar* sum) {
    kernels::add_to_shape(full.data(), full.shape(), sum, x.shape(), tape.threads());
  });
}

/// y = f(a, b), a formula for one number, with broadcasting.
template <typename Scalar, typename F>
Tensor<Scalar> binary_values(const kernels::Broadcast& plan, const Shape& shape,
                             const Var<Scalar>& a, const Var<Scalar>& b, F f) {
  Tensor<Scalar> y = a.tape().allocate(shape);
  kernels::broadcast_map(plan, a.tape().threads(), f, y.data(), a.value().data(), b.value().data());
  return y;
}

/// The gradient, before broadcasting is undone, of an input of a binary op: slope(a, b, dy) for
/// every element.
template <typename Scalar, typename Slope>
Tensor<Scalar> binary_slope(Tape<Scalar>& tape, const kernels::Broadcast& plan,
                            const Var<Scalar>& a, const Var<Scalar>& b, const Tensor<Scalar>& dy,
                            Slope slope) {
  Tensor<Scalar> full = tape.allocate(dy.shape());
  kernels::broadcast_map(plan, tape.threads(), slope, full.data(), a.value().data(),
                         b.value().data(), dy.data());
  return full;
}

/// Computes and records y = forward(a, b) with broadcasting, formulas for one number each:
/// da = slope_a(a, b, dy), db = slope_b(a, b, dy).
template <typename Scalar, typename Forward, typename SlopeA, typename SlopeB>
Var<Scalar> binary_op(Op op, const Var<Scalar>& a, const Var<Scalar>& b, Forward forward,
                      SlopeA slope_a, SlopeB slope_b) {
  const Shape shape = broadcast_shapes(op_name(op), a.shape(), b.shape());
  const kernels::Broadcast plan(a.shape(), b.shape(), shape);
  return a.tape().record(op, binary_values(plan, shape, a, b, forward), {a, b},
                         [a, b, plan, slope_a, slope_b](Tape<Scalar>& t, const Tensor<Scalar>&,
                                                        const Tensor<Scalar>& dy) {
                           if (a.requires_grad()) {
                             add_broadcast_grad(t, a, binary_slope(t, plan, a, b, dy, slope_a));
                           }
                           if (b.requires_grad()) {
                             add_broadcast_grad(t, b, binary_slope(t, plan, a, b, dy, slope_b));
                           }
                         });
}

}  // namespace tapehead::detail
