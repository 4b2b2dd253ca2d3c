#include "studies/walkthrough.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "autograd/ops/matmul.h"
#include "autograd/ops/scale.h"
#include "autograd/ops/softmax.h"
#include "autograd/tape.h"
#include "base/error.h"

namespace tapehead {

namespace {

constexpr Index kExampleWidth = 4;

// numpy.random.seed(42); numpy.random.randn(48)
constexpr std::array<double, 48> kNumpyNormals = {
    0.49671415301123267,   -0.13826430117118466, 0.64768853810069249,  1.5230298564080254,
    -0.23415337472333597,  -0.23413695694918055, 1.5792128155073915,   0.76743472915290878,
    -0.46947438593495211,  0.54256004358596466,  -0.46341769281246226, -0.46572975357025687,
    0.24196227156603412,   -1.9132802446577979,  -1.7249178325130328,  -0.56228752924097269,
    -1.0128311203344238,   0.31424733259527388,  -0.90802407552121089, -1.4123037013352915,
    1.465648768921554,     -0.22577630048653566, 0.067528204687923837, -1.4247481862134568,
    -0.54438272452518266,  0.11092258970986608,  -1.1509935774223028,  0.37569801834567196,
    -0.60063868991880498,  -0.29169374979327678, -0.60170661222939692, 1.8522781845089378,
    -0.013497224737933921, -1.0577109289559004,  0.82254491210318903,  -1.2208436499710222,
    0.2088635950047554,    -1.9596701238797756,  -1.3281860488984305,  0.19686123586912352,
    0.73846657999541043,   0.17136828118997049,  -0.11564828238824053, -0.30110369558928879,
    -1.4785219903674274,   -0.71984420839470864, -0.4606387709597875,  1.0571222262189157};

Tensor<double> example_weight(Index which) {
  Tensor<double> w({kExampleWidth, kExampleWidth});
  for (Index i = 0; i < w.size(); ++i) {
    w[i] = 0.1 * kNumpyNormals[static_cast<std::size_t>(which * w.size() + i)];
  }
  return w;
}

void check_matrix(const char* name, const Tensor<double>& m) {
  if (m.shape().rank() != 2 || m.size() == 0) {
    throw ShapeError(fmt::format("walkthrough: {} has shape {}; it must have rows and columns",
                                 name, m.shape().str()));
  }
  for (Index i = 0; i < m.size(); ++i) {
    if (std::isfinite(m[i])) continue;
    throw ValueError(fmt::format("walkthrough: {} is {} in row {}, column {}; it must be finite",
                                 name, m[i], i / m.shape()[1] + 1, i % m.shape()[1] + 1));
  }
}

void check_input(const WalkthroughInput& in) {
  check_matrix("X", in.x);
  check_matrix("W_Q", in.w_q);
  check_matrix("W_K", in.w_k);
  check_matrix("W_V", in.w_v);
  const auto check_rows = [&in](const char* name, const Tensor<double>& w) {
    if (w.shape()[0] == in.x.shape()[1]) return;
    throw ShapeError(
        fmt::format("walkthrough: X has shape {}, {} {}; {} must have as many rows as "
                    "X has columns, {}",
                    in.x.shape().str(), name, w.shape().str(), name, in.x.shape()[1]));
  };
  check_rows("W_Q", in.w_q);
  check_rows("W_K", in.w_k);
  check_rows("W_V", in.w_v);
  if (in.w_q.shape()[1] != in.w_k.shape()[1]) {
    throw ShapeError(
        fmt::format("walkthrough: W_Q has shape {}, W_K {}; they must have equally "
                    "many columns, as queries are compared with keys",
                    in.w_q.shape().str(), in.w_k.shape().str()));
  }
}

}  // namespace

WalkthroughInput worked_example() {
  const Tensor<double> x({4, kExampleWidth}, {0.1, 0.2, -0.1, 0.3,    // The
                                              0.4, -0.1, 0.5, 0.2,    // cat
                                              -0.2, 0.3, 0.1, -0.1,   // sat
                                              0.0, 0.1, -0.2, 0.4});  // mat
  return {x, example_weight(0), example_weight(1), example_weight(2)};
}

std::vector<WalkthroughStep> walk_through(const WalkthroughInput& input,
                                          const AttentionScale& scaling) {
  check_input(input);
  if (scaling.kind == AttentionScale::Kind::kLearned) {
    throw ValueError("walkthrough: nothing is learned here; the scale must be a fixed one");
  }
  const double factor = scaling.factor(input.w_q.shape()[1]);
  Tape<double> tape(Tape<double>::Mode::kInference);
  tape.context().check_finite = true;  // products of large numbers may overflow
  const auto x = tape.leaf(input.x);
  const auto q = matmul(x, tape.leaf(input.w_q));  // (n, d_k)
  const auto k = matmul(x, tape.leaf(input.w_k));  // (n, d_k)
  const auto v = matmul(x, tape.leaf(input.w_v));  // (n, d_v)
  const auto scores = matmul(q, k, false, true);   // (n, n)
  const auto scaled = scale(scores, factor);       // (n, n)
  const auto weights = softmax(scaled);            // (n, n)
  const auto output = matmul(weights, v);          // (n, d_v)
  const auto step = [](const char* name, std::string formula, const Var<double>& value) {
    return WalkthroughStep{name, std::move(formula), value.value().clone()};
  };
  return {step("X", "the input, one row a token", x),
          step("Q", "X W_Q", q),
          step("K", "X W_K", k),
          step("V", "X W_V", v),
          step("scores", "Q K^T", scores),
          step("scaled", fmt::format("{:.6g} * scores", factor), scaled),
          step("weights", "softmax(scaled), row by row", weights),
          step("output", "weights V", output)};
}

}  // namespace tapehead
