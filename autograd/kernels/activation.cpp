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

// The derivatives, from what has been computed of x. (Every function that needs one takes it from
// here, so that it has the same bits in all of them.)

// t = erf(x / sqrt 2), density = exp(-x^2 / 2).
template <typename Scalar>
Scalar gelu_exact_slope(Scalar x, Scalar t, Scalar density) {
  constexpr Scalar kDensityAtZero = Scalar(0.5) * kSqrtTwoOverPi<Scalar>;
  return Scalar(0.5) * (1 + t) + kDensityAtZero * x * density;
}

// t = tanh u.
template <typename Scalar>
Scalar gelu_tanh_slope(Scalar x, Scalar t) {
  const Scalar du = kSqrtTwoOverPi<Scalar> * (1 + 3 * kCubic<Scalar> * x * x);
  return Scalar(0.5) * (1 + t + x * (1 - t * t) * du);
}

// s = sigmoid(x).
template <typename Scalar>
Scalar silu_slope(Scalar x, Scalar s) {
  return s * (1 + x * (1 - s));
}

// t = erf(x / sqrt 2), density = exp(-x^2 / 2).
template <typename Scalar>
void gelu_exact_parts(const Scalar* x, Scalar* t, Scalar* density, Index n) {
  for (Index i = 0; i < n; ++i) {
    t[i] = kSqrtHalf<Scalar> * x[i];
    density[i] = Scalar(-0.5) * x[i] * x[i];
  }
  erf(t, t, n);
  exp(density, density, n);
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
  for_each_block(n, [x, dy, dx](Index at, Index m) {
    Temporary<Scalar> t{}, density{};
    gelu_exact_parts(x + at, t.data(), density.data(), m);
    for (Index i = 0; i < m; ++i) {
      dx[at + i] = dy[at + i] * gelu_exact_slope(x[at + i], t.data()[i], density.data()[i]);
    }
  });
}

template <typename Scalar>
void gelu_exact_with_slope(Scalar* __restrict x, Scalar* __restrict slope, Index n) {
  for_each_block(n, [x, slope](Index at, Index m) {
    Temporary<Scalar> t{}, density{};
    gelu_exact_parts(x + at, t.data(), density.data(), m);
    for (Index i = 0; i < m; ++i) {
      const Scalar v = x[at + i];
      slope[at + i] = gelu_exact_slope(v, t.data()[i], density.data()[i]);
      x[at + i] = Scalar(0.5) * v * (1 + t.data()[i]);
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
      dx[at + i] = dy[at + i] * gelu_tanh_slope(x[at + i], tanh_u.data()[i]);
    }
  });
}

template <typename Scalar>
void gelu_tanh_with_slope(Scalar* __restrict x, Scalar* __restrict slope, Index n) {
  for_each_block(n, [x, slope](Index at, Index m) {
    Temporary<Scalar> tanh_u{};
    gelu_inner_tanh(x + at, tanh_u.data(), m);
    for (Index i = 0; i < m; ++i) {
      const Scalar v = x[at + i], t = tanh_u.data()[i];
      slope[at + i] = gelu_tanh_slope(v, t);
      x[at + i] = Scalar(0.5) * v * (1 + t);
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
      dx[at + i] = dy[at + i] * silu_slope(x[at + i], sigma.data()[i]);
    }
  });
}

template <typename Scalar>
void silu_with_slope(Scalar* __restrict x, Scalar* __restrict slope, Index n) {
  for_each_block(n, [x, slope](Index at, Index m) {
    Temporary<Scalar> sigma{};
    sigmoid(x + at, sigma.data(), m);
    for (Index i = 0; i < m; ++i) {
      const Scalar v = x[at + i], s = sigma.data()[i];
      slope[at + i] = silu_slope(v, s);
      x[at + i] = v * s;
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

template void gelu_exact_with_slope(float*, float*, Index);
template void gelu_exact_with_slope(double*, double*, Index);
template void gelu_tanh_with_slope(float*, float*, Index);
template void gelu_tanh_with_slope(double*, double*, Index);
template void silu_with_slope(float*, float*, Index);
template void silu_with_slope(double*, double*, Index);
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
