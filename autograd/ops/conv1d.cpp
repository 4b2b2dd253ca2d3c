#include "autograd/ops/conv1d.h"

#include <array>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/columns.h"
#include "autograd/kernels/copy_rows.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

struct ConvSizes {
  Index batch, n, in, out, taps, n_out;
  Conv1dOptions options;

  Index rows() const { return batch * n_out; }
  Index window() const { return in * taps; }  // numbers that one output is made of
  // The time step of x that tap j of output t sees.
  Index step(Index t, Index j) const { return t + j * options.dilation - options.left; }
};

template <typename Scalar>
ConvSizes conv_sizes(const Var<Scalar>& x, const Var<Scalar>& weight,
                     const Conv1dOptions& options) {
  check_rank("conv1d", "x", x.shape(), 3);
  check_rank("conv1d", "weight", weight.shape(), 3);
  check_last_dim("conv1d", "x", x.shape(), weight.dim(1), "the weight's second dimension");
  ConvSizes s{x.dim(0), x.dim(1), x.dim(2), weight.dim(0), weight.dim(2), 0, options};
  if (options.dilation < 1 || options.left < 0 || options.right < 0) {
    throw ValueError(
        fmt::format("conv1d: dilation {}, padding {} and {}; the dilation must be at least 1, and "
                    "padding must not be negative",
                    options.dilation, options.left, options.right));
  }
  s.n_out = s.n + options.left + options.right - options.dilation * (s.taps - 1);
  if (s.taps < 1 || s.n_out < 0) {
    throw ShapeError(
        fmt::format("conv1d: {} taps with dilation {} span more than the {} time steps of x with "
                    "padding {} and {}; use fewer taps, at least 1, or more padding",
                    s.taps, options.dilation, s.n, options.left, options.right));
  }
  return s;
}

// Calls body(b, t) for every output row, on `threads` threads.
template <typename Body>
void for_each_window(int threads, Index rows_of_entry, Index rows, Index window, const Body& body) {
  parallel_chunks(threads, rows, units_per_chunk(window), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      body(r / rows_of_entry, r % rows_of_entry);
    }
  });
}

// Row (b, t) holds what output (b, t) sees, in the order of the weight: tap by tap of a channel.
template <typename Scalar>
Tensor<Scalar> windows_of(const ConvSizes& s, const Tensor<Scalar>& x, Tape<Scalar>& tape) {
  Tensor<Scalar> windows = tape.allocate({s.rows(), s.window()});
  for_each_window(tape.threads(), s.n_out, s.rows(), s.window(), [&](Index b, Index t) {
    Scalar* row = windows.data() + (b * s.n_out + t) * s.window();
    for (Index j = 0; j < s.taps; ++j) {
      const Index step = s.step(t, j);
      const bool inside = step >= 0 && step < s.n;
      const Scalar* from = x.data() + (b * s.n + step) * s.in;
      for (Index c = 0; c < s.in; ++c) row[c * s.taps + j] = inside ? from[c] : Scalar(0);
    }
  });
  return windows;
}

// dx += each window's gradient, at the place that it came from. Threads take rows of dx, each of
// which gathers from the windows that saw it.
template <typename Scalar>
void add_windows(const ConvSizes& s, const Tensor<Scalar>& dwindows, Scalar* dx, int threads) {
  for_each_window(threads, s.n, s.batch * s.n, s.window(), [&](Index b, Index step) {
    Scalar* row = dx + (b * s.n + step) * s.in;
    for (Index j = 0; j < s.taps; ++j) {
      const Index t = step - s.step(0, j);
      if (t < 0 || t >= s.n_out) continue;
      const Scalar* from = dwindows.data() + (b * s.n_out + t) * s.window() + j;
      for (Index c = 0; c < s.in; ++c) row[c] += from[c * s.taps];
    }
  });
}

template <typename Scalar>
Tensor<Scalar> conv_forward(const ConvSizes& s, const Var<Scalar>& x, const Var<Scalar>& weight,
                            const Var<Scalar>& bias) {
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate({s.batch, s.n_out, s.out});
  if (bias.defined()) {  // the product is added to it
    kernels::copy_rows(bias.value().data(), 0, y.data(), s.out, s.rows(), s.out);
  }
  const Tensor<Scalar> windows = windows_of(s, x.value(), tape);
  gemm<Scalar>({.m = s.rows(),
                .n = s.out,
                .k = s.window(),
                .a = windows.data(),
                .lda = s.window(),
                .b = weight.value().data(),
                .ldb = s.window(),
                .transpose_b = true,
                .c = y.data(),
                .ldc = s.out,
                .beta = Scalar(bias.defined() ? 1 : 0)},
               tape.threads());
  return y;
}

template <typename Scalar>
void conv_backward_x(Tape<Scalar>& tape, const ConvSizes& s, const Var<Scalar>& x,
                     const Var<Scalar>& weight, const Tensor<Scalar>& dy) {
  Tensor<Scalar> dwindows = tape.allocate({s.rows(), s.window()});
  gemm<Scalar>({.m = s.rows(),
                .n = s.window(),
                .k = s.out,
                .a = dy.data(),
                .lda = s.out,
                .b = weight.value().data(),
                .ldb = s.window(),
                .c = dwindows.data(),
                .ldc = s.window()},
               tape.threads());
  tape.accumulate(x, [&](Scalar* dx) { add_windows(s, dwindows, dx, tape.threads()); });
}

template <typename Scalar>
void conv_backward(Tape<Scalar>& tape, const ConvSizes& s, const Var<Scalar>& x,
                   const Var<Scalar>& weight, const Var<Scalar>& bias, const Tensor<Scalar>& dy) {
  if (bias.defined()) {
    tape.accumulate(bias, [&](Scalar* db) {
      kernels::add_column_sums(dy.data(), s.rows(), s.out, db, tape.threads());
    });
  }
  if (weight.requires_grad()) {
    const Tensor<Scalar> windows = windows_of(s, x.value(), tape);
    tape.add_grad_product(weight, {.m = s.out,
                                   .n = s.window(),
                                   .k = s.rows(),
                                   .a = dy.data(),
                                   .lda = s.out,
                                   .transpose_a = true,
                                   .b = windows.data(),
                                   .ldb = s.window()});
  }
  if (x.requires_grad()) conv_backward_x(tape, s, x, weight, dy);
}

// `bias` may be empty.
template <typename Scalar>
Var<Scalar> record_conv1d(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias,
                          const Conv1dOptions& options) {
  const ConvSizes sizes = conv_sizes(x, weight, options);
  const std::array<Var<Scalar>, 3> inputs = {x, weight, bias};
  return x.tape().record(Op::conv1d, conv_forward(sizes, x, weight, bias),
                         std::span(inputs).first(bias.defined() ? 3 : 2),
                         [sizes, x, weight, bias](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/,
                                                  const Tensor<Scalar>& dy) {
                           conv_backward(t, sizes, x, weight, bias, dy);
                         });
}

}  // namespace

template <typename Scalar>
Var<Scalar> conv1d(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias,
                   const Conv1dOptions& options) {
  check_rank("conv1d", "weight", weight.shape(), 3);
  check_same_shape("conv1d", "bias", bias.shape(), "an output", {weight.dim(0)});
  return record_conv1d(x, weight, bias, options);
}

template <typename Scalar>
Var<Scalar> conv1d(const Var<Scalar>& x, const Var<Scalar>& weight, const Conv1dOptions& options) {
  return record_conv1d(x, weight, Var<Scalar>(), options);
}

template Var<float> conv1d(const Var<float>&, const Var<float>&, const Var<float>&,
                           const Conv1dOptions&);
template Var<double> conv1d(const Var<double>&, const Var<double>&, const Var<double>&,
                            const Conv1dOptions&);
template Var<float> conv1d(const Var<float>&, const Var<float>&, const Conv1dOptions&);
template Var<double> conv1d(const Var<double>&, const Var<double>&, const Conv1dOptions&);

}  // namespace tapehead
