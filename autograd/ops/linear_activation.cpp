#include "autograd/ops/linear_activation.h"

#include <algorithm>
#include <array>

#include "autograd/kernels/activation.h"
#include "autograd/ops/affine.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

// z becomes f(z), in place. For backward, `kept` receives f'(z); relu has no use for it.
template <typename Scalar>
void activate_keeping(Activation f, Scalar* z, Scalar* kept, Index n) {
  switch (f) {
    case Activation::kGelu:
      return kernels::gelu_exact_with_slope(z, kept, n);
    case Activation::kGeluTanh:
      return kernels::gelu_tanh_with_slope(z, kept, n);
    case Activation::kSilu:
      return kernels::silu_with_slope(z, kept, n);
    case Activation::kRelu:  // written so that a NaN, for which every comparison is false, stays
      for (Index i = 0; i < n; ++i) z[i] = z[i] <= 0 ? Scalar(0) : z[i];
  }
}

// y = f(z), where there is no backward pass; not for relu, which is computed in place.
template <typename Scalar>
void activate_only(Activation f, const Scalar* z, Scalar* y, Index n) {
  switch (f) {
    case Activation::kGelu:
      return kernels::gelu_exact(z, y, n);
    case Activation::kGeluTanh:
      return kernels::gelu_tanh(z, y, n);
    case Activation::kSilu:
      return kernels::silu(z, y, n);
    case Activation::kRelu:
      break;
  }
}

// y = f(z), and what backward needs beside it: f'(z), or y itself for relu.
template <typename Scalar>
struct Activated {
  Tensor<Scalar> y, kept;
};

template <typename Scalar>
Activated<Scalar> activate(Tape<Scalar>& tape, Activation f, Tensor<Scalar> z, bool keep) {
  Tensor<Scalar> other = f == Activation::kRelu ? z : tape.allocate(z.shape());
  const bool in_place = keep || f == Activation::kRelu;
  parallel_chunks(tape.threads(), z.size(), kElementsPerChunk, [&](Index begin, Index end) {
    Scalar *from = z.data() + begin, *to = other.data() + begin;
    in_place ? activate_keeping(f, from, to, end - begin) : activate_only(f, from, to, end - begin);
  });
  return in_place ? Activated<Scalar>{z, other} : Activated<Scalar>{other, {}};
}

// dz = dy f'(z).
template <typename Scalar>
void through_activation(Activation f, const Scalar* __restrict kept, const Scalar* __restrict dy,
                        Scalar* __restrict dz, Index n) {
  if (f == Activation::kRelu) {
    for (Index i = 0; i < n; ++i) {
      const Scalar passed = dy[i];  // read in any case: a masked load of a vector is slower
      dz[i] = kept[i] <= 0 ? Scalar(0) : passed;
    }
  } else {
    for (Index i = 0; i < n; ++i) dz[i] = dy[i] * kept[i];
  }
}

// The gradient of z; the sums of its rows are added to db, unless that is null. On one thread, some
// rows at a time, so that they are near when they are summed.
template <typename Scalar>
Tensor<Scalar> pre_activation_grad(Tape<Scalar>& tape, Activation f, const Tensor<Scalar>& kept,
                                   const Tensor<Scalar>& dy, Scalar* db) {
  Tensor<Scalar> dz = tape.allocate(dy.shape());
  const Index rows = dy.shape().row_count(), out = dy.dim(dy.rank() - 1);
  const Index near = std::max(Index{1}, kElementsPerChunk / std::max(Index{1}, out));
  const Index step = tape.threads() > 1 ? std::max(Index{1}, rows) : near;
  for (Index r = 0; r < rows; r += step) {
    const Index at = r * out, here = std::min(step, rows - r);
    parallel_chunks(tape.threads(), here * out, kElementsPerChunk, [&](Index begin, Index end) {
      through_activation(f, kept.data() + at + begin, dy.data() + at + begin,
                         dz.data() + at + begin, end - begin);
    });
    if (db != nullptr) {
      kernels::add_column_sums(dz.data() + at, here, out, db, tape.threads());
    }
  }
  return dz;
}

}  // namespace

template <typename Scalar>
Var<Scalar> linear_activation(const Var<Scalar>& x, const Var<Scalar>& weight,
                              const Var<Scalar>& bias, Activation activation) {
  detail::check_affine("linear_activation", x, weight, bias);
  Tape<Scalar>& tape = x.tape();
  const bool adds_bias = bias.defined() && bias.requires_grad();
  const bool keep = tape.recording() && (x.requires_grad() || weight.requires_grad() || adds_bias);
  const Activated<Scalar> r =
      activate(tape, activation, detail::affine_forward(x, weight, bias), keep);
  const std::array<Var<Scalar>, 3> inputs = {x, weight, bias};
  return tape.record(Op::linear_activation, r.y, std::span(inputs).first(bias.defined() ? 3 : 2),
                     [x, weight, bias, adds_bias, activation, kept = r.kept](
                         Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
                       Tensor<Scalar> dz;
                       const auto add_to = [&](Scalar* db) {
                         dz = pre_activation_grad(t, activation, kept, dy, db);
                       };
                       adds_bias ? t.accumulate(bias, add_to) : add_to(nullptr);
                       detail::add_weight_grads(t, x.value(), weight, {}, dz);
                       detail::add_input_grad(t, x, weight, dz);
                     });
}

template Var<float> linear_activation(const Var<float>&, const Var<float>&, const Var<float>&,
                                      Activation);
template Var<double> linear_activation(const Var<double>&, const Var<double>&, const Var<double>&,
                                       Activation);

}  // namespace tapehead
