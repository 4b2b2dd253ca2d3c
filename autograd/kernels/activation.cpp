#include "autograd/kernels/activation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "autograd/kernels/vector_math.h"

namespace tapehead::kernels {

namespace {

constexpr Index kActivationBlock = 256;  // 1 KB of floats a temporary

template <typename Scalar>
using Temporary = std::array<Scalar, kActivationBlock>;

// The cubic coefficient of the tanh form (Hendrycks and Gimpel, "Gaussian Error Linear Units").
template <typename Scalar>
constexpr auto kCubic = Scalar(0.044715);
template <typename Scalar>
constexpr auto kSqrtHalf = Scalar(1) / std::numbers::sqrt2_v<Scalar>;
template <typename Scalar>
constexpr auto kSqrtTwoOverPi = std::numbers::sqrt2_v<Scalar>* std::numbers::inv_sqrtpi_v<Scalar>;

// Calls body(at, m) for consecutive blocks [at, at + m) of [0, n).
template <typename Body>
void for_each_block(Index n, const Body& body) {
  for (Index at = 0; at < n; at += kActivationBlock) body(at, std::min(kActivationBlock, n - at));
}

// t = tanh u, the inner function of the tanh form.
template <typename Scalar>
void gelu_inner_tanh(const Scalar* x, Scalar* t, Index n) {
  for (Index i = 0; i < n; ++i) {
    t[i] = kSqrtTwoOverPi<Scalar> * x[i] * (1 + kCubic<Scalar> * x[i] * x[i]);
  }
  tanh(t, t, n);
}

}  // namespace

template <typename Scalar>
void gelu_exact(const Scalar* x, Scalar* y, Index n) {
  for_each_block(n, [x, y](Index at, Index m) {
    Temporary<Scalar> t{};
    for (Index i = 0; i < m; ++i) t.data()[i] = kSqrtHalf<Scalar> * x[at + i];
    erf(t.data(), t.data(), m);
    for (Index i = 0; i < m; ++i) y[at + i] = Scalar(0.5) * x[at + i] * (1 + t.data()[i]);
  });
}

template <typename Scalar>
void gelu_exact_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n) {
  constexpr Scalar kDensityAtZero = Scalar(0.5) * kSqrtTwoOverPi<Scalar>;
  for_each_block(n, [x, dy, dx](Index at, Index m) {
    Temporary<Scalar> t{}, density{};
    for (Index i = 0; i < m; ++i) {
      t.data()[i] = kSqrtHalf<Scalar> * x[at + i];
      density.data()[i] = Scalar(-0.5) * x[at + i] * x[at + i];
    }
    erf(t.data(), t.data(), m);
    exp(density.data(), density.data(), m);
    for (Index i = 0; i < m; ++i) {
      const Scalar slope =
          Scalar(0.5) * (1 + t.data()[i]) + kDensityAtZero * x[at + i] * density.data()[i];
      dx[at + i] = dy[at + i] * slope;
    }
  });
}

template <typename Scalar>
void gelu_tanh(const Scalar* x, Scalar* y, Index n) {
  for_each_block(n, [x, y](Index at, Index m) {
    Temporary<Scalar> t{};
    gelu_inner_tanh(x + at, t.data(), m);
    for (Index i = 0; i < m; ++i) y[at + i] = Scalar(0.5) * x[at + i] * (1 + t.data()[i]);
  });
}

template <typename Scalar>
void gelu_tanh_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n) {
  for_each_block(n, [x, dy, dx](Index at, Index m) {
    Temporary<Scalar> tanh_u{};
    gelu_inner_tanh(x + at, tanh_u.data(), m);
    for (Index i = 0; i < m; ++i) {
      const Scalar v = x[at + i];
      const Scalar t = tanh_u.data()[i];
      const Scalar du = kSqrtTwoOverPi<Scalar> * (1 + 3 * kCubic<Scalar> * v * v);
      dx[at + i] = dy[at + i] * Scalar(0.5) * (1 + t + v * (1 - t * t) * du);
    }
  });
}

template <typename Scalar>
void silu(const Scalar* x, Scalar* y, Index n) {
  for_each_block(n, [x, y](Index at, Index m) {
    Temporary<Scalar> s{};
    sigmoid(x + at, s.data(), m);
    for (Index i = 0; i < m; ++i) y[at + i] = x[at + i] * s.data()[i];
  });
}

template <typename Scalar>
void silu_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n) {
  for_each_block(n, [x, dy, dx](Index at, Index m) {
    Temporary<Scalar> sigma{};
    sigmoid(x + at, sigma.data(), m);
    for (Index i = 0; i < m; ++i) {
      const Scalar s = sigma.data()[i];
      dx[at + i] = dy[at + i] * s * (1 + x[at + i] * (1 - s));
    }
  });
}

template <typename Scalar>
void softplus(const Scalar* x, Scalar* y, Index n) {
  for_each_block(n, [x, y](Index at, Index m) {
    Temporary<Scalar> e{}, one_plus_e{}, l{};
    for (Index i = 0; i < m; ++i) e.data()[i] = -std::abs(x[at + i]);
    exp(e.data(), e.data(), m);
    for (Index i = 0; i < m; ++i) one_plus_e.data()[i] = 1 + e.data()[i];
    log(one_plus_e.data(), l.data(), m);
    for (Index i = 0; i < m; ++i) {
      // log(1 + e) times e / ((1 + e) - 1): what rounding 1 + e loses cancels out.
      const Scalar rounded = one_plus_e.data()[i] - 1;
      const Scalar log1p = rounded == 0 ? e.data()[i] : l.data()[i] * (e.data()[i] / rounded);
      y[at + i] = (x[at + i] < 0 ? Scalar(0) : x[at + i]) + log1p;
    }
  });
}

template <typename Scalar>
void softplus_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n) {
  for_each_block(n, [x, dy, dx](Index at, Index m) {
    Temporary<Scalar> s{};
    sigmoid(x + at, s.data(), m);
    for (Index i = 0; i < m; ++i) dx[at + i] = dy[at + i] * s.data()[i];
  });
}

template void gelu_exact(const float*, float*, Index);
template void gelu_exact(const double*, double*, Index);
template void gelu_exact_backward(const float*, const float*, float*, Index);
template void gelu_exact_backward(const double*, const double*, double*, Index);
template void gelu_tanh(const float*, float*, Index);
template void gelu_tanh(const double*, double*, Index);
template void gelu_tanh_backward(const float*, const float*, float*, Index);
template void gelu_tanh_backward(const double*, const double*, double*, Index);
template void silu(const float*, float*, Index);
template void silu(const double*, double*, Index);
template void silu_backward(const float*, const float*, float*, Index);
template void silu_backward(const double*, const double*, double*, Index);
template void softplus(const float*, float*, Index);
template void softplus(const double*, double*, Index);
template void softplus_backward(const float*, const float*, float*, Index);
template void softplus_backward(const double*, const double*, double*, Index);

}  // namespace tapehead::kernels
