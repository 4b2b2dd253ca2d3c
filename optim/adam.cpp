#include "optim/adam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tapehead {

namespace {

void check_beta(const char* name, double beta) {
  if (!(beta >= 0 && beta < 1)) {
    throw ValueError(fmt::format("adam: {} is {}; it must be at least 0 and below 1", name, beta));
  }
}

// The numbers that are the same for every element of a stretch.
template <typename Scalar>
struct Coefficients {
  Scalar factor;  // of the gradient, from clipping
  Scalar l2;      // decay inside the gradient (Adam)
  Scalar shrink;  // decay of the parameter itself (AdamW)
  Scalar beta1;
  Scalar beta2;
  Scalar gain1;      // 1 - beta1
  Scalar gain2;      // 1 - beta2
  Scalar step_size;  // lr / (1 - beta1^t)
  Scalar root;       // sqrt(1 - beta2^t)
  Scalar eps;
};

template <typename Scalar>
void adam_update(const Coefficients<Scalar>& c, Scalar* p, Scalar* m, Scalar* v,
                 const Scalar* gradient, Index n) {
  const Coefficients<Scalar> k = c;  // a local copy stays in registers
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const Scalar g = k.factor * gradient[i] + k.l2 * p[i];
    m[i] = k.beta1 * m[i] + k.gain1 * g;
    v[i] = k.beta2 * v[i] + k.gain2 * (g * g);
    p[i] = k.shrink * p[i] - k.step_size * (m[i] / (std::sqrt(v[i]) / k.root + k.eps));
  }
}

template <typename Scalar>
void amsgrad_update(const Coefficients<Scalar>& c, Scalar* p, Scalar* m, Scalar* v, Scalar* v_max,
                    const Scalar* gradient, Index n) {
  const Coefficients<Scalar> k = c;
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const Scalar g = k.factor * gradient[i] + k.l2 * p[i];
    m[i] = k.beta1 * m[i] + k.gain1 * g;
    v[i] = k.beta2 * v[i] + k.gain2 * (g * g);
    v_max[i] = std::max(v_max[i], v[i]);
    p[i] = k.shrink * p[i] - k.step_size * (m[i] / (std::sqrt(v_max[i]) / k.root + k.eps));
  }
}

}  // namespace

template <typename Scalar>
Adam<Scalar>::Adam(const ParameterStore<Scalar>& store, const AdamOptions& options)
    : Optimizer<Scalar>(store, options.weight_decay, {options.decay_all, options.decay_embeddings}),
      options_(options) {
  check_beta("beta1", options.beta1);
  check_beta("beta2", options.beta2);
  if (!(static_cast<Scalar>(options.eps) > 0) || !std::isfinite(options.eps)) {
    throw ValueError(fmt::format(
        "adam: eps is {}; it must be above 0, also when rounded to the parameters' precision",
        options.eps));
  }
  m_ = this->add_state(store, "m");
  v_ = this->add_state(store, "v");
  if (options.amsgrad) v_max_ = this->add_state(store, "v_max");
}

template <typename Scalar>
void Adam<Scalar>::update(const Update& update, Index begin, Index end, double weight_decay) {
  const auto t = static_cast<double>(update.count);
  const AdamOptions& o = options_;
  const Coefficients<Scalar> c{
      .factor = static_cast<Scalar>(update.gradient_factor),
      .l2 = static_cast<Scalar>(o.decoupled ? 0.0 : weight_decay),
      .shrink = static_cast<Scalar>(o.decoupled ? 1.0 - update.lr * weight_decay : 1.0),
      .beta1 = static_cast<Scalar>(o.beta1),
      .beta2 = static_cast<Scalar>(o.beta2),
      .gain1 = static_cast<Scalar>(1.0 - o.beta1),
      .gain2 = static_cast<Scalar>(1.0 - o.beta2),
      .step_size = static_cast<Scalar>(update.lr / (1.0 - std::pow(o.beta1, t))),
      .root = static_cast<Scalar>(std::sqrt(1.0 - std::pow(o.beta2, t))),
      .eps = static_cast<Scalar>(o.eps)};
  Scalar* p = update.values + begin;
  const Scalar* gradient = update.gradients + begin;
  if (v_max_ == nullptr) {
    adam_update(c, p, m_ + begin, v_ + begin, gradient, end - begin);
  } else {
    amsgrad_update(c, p, m_ + begin, v_ + begin, v_max_ + begin, gradient, end - begin);
  }
}

template class Adam<float>;
template class Adam<double>;

}  // namespace tapehead
