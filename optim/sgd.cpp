#include "optim/sgd.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

template <typename Scalar>
void plain_update(Scalar* p, const Scalar* gradient, Index n, Scalar lr, Scalar factor,
                  Scalar decay) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    p[i] -= lr * (factor * gradient[i] + decay * p[i]);
  }
}

template <typename Scalar>
void momentum_update(Scalar* p, Scalar* b, const Scalar* gradient, Index n, Scalar lr,
                     Scalar factor, Scalar decay, Scalar momentum) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    b[i] = momentum * b[i] + (factor * gradient[i] + decay * p[i]);
    p[i] -= lr * b[i];
  }
}

template <typename Scalar>
void nesterov_update(Scalar* p, Scalar* b, const Scalar* gradient, Index n, Scalar lr,
                     Scalar factor, Scalar decay, Scalar momentum) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const Scalar g = factor * gradient[i] + decay * p[i];
    b[i] = momentum * b[i] + g;
    p[i] -= lr * (g + momentum * b[i]);
  }
}

}  // namespace

template <typename Scalar>
Sgd<Scalar>::Sgd(const ParameterStore<Scalar>& store, const SgdOptions& options)
    : Optimizer<Scalar>(store, options.weight_decay, {options.decay_all, options.decay_embeddings}),
      options_(options) {
  if (!(options.momentum >= 0 && options.momentum < 1)) {
    throw ValueError(
        fmt::format("sgd: momentum is {}; it must be at least 0 and below 1", options.momentum));
  }
  if (options.nesterov && options.momentum == 0) {
    throw ValueError("sgd: nesterov is set and momentum is 0; Nesterov needs momentum > 0");
  }
  if (options.momentum > 0) momentum_ = this->add_state(store, "momentum");
}

template <typename Scalar>
void Sgd<Scalar>::update(const Update& update, Index begin, Index end, double weight_decay) {
  Scalar* p = update.values + begin;
  const Scalar* gradient = update.gradients + begin;
  const Index n = end - begin;
  const auto lr = static_cast<Scalar>(update.lr);
  const auto factor = static_cast<Scalar>(update.gradient_factor);
  const auto decay = static_cast<Scalar>(weight_decay);
  const auto momentum = static_cast<Scalar>(options_.momentum);
  if (momentum_ == nullptr) {
    plain_update(p, gradient, n, lr, factor, decay);
  } else if (options_.nesterov) {
    nesterov_update(p, momentum_ + begin, gradient, n, lr, factor, decay, momentum);
  } else {
    momentum_update(p, momentum_ + begin, gradient, n, lr, factor, decay, momentum);
  }
}

template class Sgd<float>;
template class Sgd<double>;

}  // namespace tapehead
