#include "autograd/ops/cross_entropy.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/cross_entropy.h"
#include "autograd/kernels/reduce.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kRowsPerChunk = 32;

// Writes the loss of each row (0 where nothing is counted), and dx for dy = 1.
template <typename Scalar>
void cross_entropy_rows(const Tensor<Scalar>& x, const TokenTensor& targets,
                        const CrossEntropyOptions& options, Scalar scale, Tensor<Scalar>& losses,
                        Tensor<Scalar>& dx, int threads) {
  const Index n = x.shape().row_length();
  const auto smoothing = static_cast<Scalar>(options.label_smoothing);
  parallel_chunks(threads, targets.size(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      if (targets[r] == options.ignore_index) {
        losses[r] = 0;
        std::fill_n(dx.data() + r * n, n, Scalar(0));
      } else {
        losses[r] = kernels::cross_entropy(x.data() + r * n, n, Index{targets[r]}, smoothing, scale,
                                           dx.data() + r * n);
      }
    }
  });
}

template <typename Scalar>
Tensor<Scalar> scaled(Tape<Scalar>& tape, const Tensor<Scalar>& x, Scalar factor) {
  if (factor == Scalar(1)) return x;  // the usual case: the loss is where backward begins
  Tensor<Scalar> y = tape.allocate(x.shape());
  for (Index i = 0; i < x.size(); ++i) y[i] = x[i] * factor;
  return y;
}

void check_options(const CrossEntropyOptions& options) {
  if (!(options.label_smoothing >= 0 && options.label_smoothing <= 1)) {
    throw ValueError(fmt::format("cross_entropy: label_smoothing is {}; it must be in [0, 1]",
                                 options.label_smoothing));
  }
  if (!(options.normalizer >= 0)) {
    throw ValueError(fmt::format(
        "cross_entropy: normalizer is {}; it must be positive, or 0 for the number of counted "
        "places",
        options.normalizer));
  }
}

// The number of counted targets; every one of them is a class.
Index count_targets(const TokenTensor& targets, Index classes, TokenId ignore_index) {
  Index counted = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    if (targets[i] == ignore_index) continue;
    if (targets[i] < 0 || targets[i] >= classes) {
      throw ValueError(fmt::format(
          "cross_entropy: target {} at {} is outside the vocabulary of {}; it must be in [0, {}), "
          "or {} to be ignored",
          targets[i], position_str(targets.shape(), i), classes, classes, ignore_index));
    }
    ++counted;
  }
  return counted;
}

}  // namespace

template <typename Scalar>
Var<Scalar> cross_entropy(const Var<Scalar>& logits, const TokenTensor& targets,
                          const CrossEntropyOptions& options) {
  check_min_rank("cross_entropy", "logits", logits.shape(), 1);
  check_same_shape("cross_entropy", "targets", targets.shape(), "logits without classes",
                   logits.shape().without_dim(logits.rank() - 1));
  check_options(options);
  const Index counted = count_targets(targets, logits.dim(-1), options.ignore_index);
  const double normalizer = options.normalizer > 0
                                ? options.normalizer
                                : static_cast<double>(std::max<Index>(counted, 1));
  Tape<Scalar>& tape = logits.tape();
  Tensor<Scalar> losses = tape.allocate({targets.size()});
  Tensor<Scalar> dlogits = tape.allocate(logits.shape());
  const auto scale = static_cast<Scalar>(1 / normalizer);
  cross_entropy_rows(logits.value(), targets, options, scale, losses, dlogits, tape.threads());
  Tensor<Scalar> y = tape.allocate({});
  y[0] = kernels::sum(losses.data(), losses.size()) * scale;
  return tape.record(
      Op::cross_entropy, std::move(y), {logits},
      [logits, dlogits](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        t.add_grad(logits, scaled(t, dlogits, dy[0]));
      });
}

template Var<float> cross_entropy(const Var<float>&, const TokenTensor&,
                                  const CrossEntropyOptions&);
template Var<double> cross_entropy(const Var<double>&, const TokenTensor&,
                                   const CrossEntropyOptions&);

}  // namespace tapehead
