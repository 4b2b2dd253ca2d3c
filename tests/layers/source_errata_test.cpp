// Where the teaching documents that this project started from err, and what is right
// (docs/source_errata.md).

#include <array>
#include <cmath>
#include <numbers>

#include "layers/attention.h"
#include "layers/document_attention.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

// The first 48 standard normals of NumPy's legacy generator with seed 42: W_Q, W_K and W_V of the
// worked example are 0.1 times these, in this order, each 4 x 4 in row-major order.
constexpr std::array<double, 48> kNormals = {
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

// W of the example, which multiplies from the right (x W), as a Linear's weight (x W^T).
Tensor<double> weight(std::size_t first) {
  Tensor<double> w({4, 4});
  for (Index in = 0; in < 4; ++in) {
    for (Index out = 0; out < 4; ++out) {
      w[out * 4 + in] = 0.1 * kNormals[first + static_cast<std::size_t>(in * 4 + out)];
    }
  }
  return w;
}

TEST(SourceErrata, WorkedExampleHasAlmostUniformWeights) {
  // Printed in the document: weights from 0.197 to 0.303. NumPy gives, for the same code, what
  // follows (rounded to six decimals).
  LayerFixture f;
  const SingleHeadSelfAttention<double> layer(f.root / "example", 4, false);
  f.set("example.fc_q.weight", weight(0));
  f.set("example.fc_k.weight", weight(16));
  f.set("example.fc_v.weight", weight(32));
  const auto x = f.tape.leaf({{1, 4, 4},
                              {0.1, 0.2, -0.1, 0.3,   //
                               0.4, -0.1, 0.5, 0.2,   //
                               -0.2, 0.3, 0.1, -0.1,  //
                               0.0, 0.1, -0.2, 0.4}});
  const auto r = layer.forward(x);
  constexpr double kRounding = 0.5e-6;
  const std::array<double, 4> row_one{0.250049, 0.249787, 0.249998, 0.250167};
  const std::array<double, 4> output_one{-0.021538, -0.045546, -0.020526, 0.012208};
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(r.attention.value()[j], row_one[static_cast<std::size_t>(j)], kRounding);
    EXPECT_NEAR(r.output.value()[j], output_one[static_cast<std::size_t>(j)], kRounding);
  }
  for (const double w : r.attention.value().values()) {
    EXPECT_GT(w, 0.2496);
    EXPECT_LT(w, 0.2505);
  }
}

TEST(SourceErrata, MeanAbsoluteDotProductIsNotItsStandardDeviation) {
  // The document's table gives 7.98 for mean |q.k| at d = 64, which is close to the standard
  // deviation, sqrt(64) = 8. The mean is 2/sqrt(pi) Gamma((d+1)/2)/Gamma(d/2) = 6.36, close to
  // sqrt(2 d / pi) = 6.38; divided by sqrt(d) it is 0.80 and not 1.
  constexpr Index kDim = 64, kPairs = 20000;
  const double exact = 2 / std::sqrt(std::numbers::pi) *
                       std::exp(std::lgamma((kDim + 1) / 2.0) - std::lgamma(kDim / 2.0));
  EXPECT_NEAR(exact, 6.3582, 5e-5);
  EXPECT_NEAR(exact / 8, 0.795, 5e-4);
  const Tensor<double> q = randn({kPairs, kDim}, 1), k = randn({kPairs, kDim}, 2);
  double sum_abs = 0, sum_squares = 0;
  for (Index i = 0; i < kPairs; ++i) {
    double dot = 0;
    for (Index c = 0; c < kDim; ++c) dot += q[i * kDim + c] * k[i * kDim + c];
    sum_abs += std::abs(dot);
    sum_squares += dot * dot;
  }
  // Four standard errors: the deviation of |q.k| is sqrt(64 - 6.36^2) = 4.86.
  EXPECT_NEAR(sum_abs / kPairs, exact, 4 * 4.86 / std::sqrt(kPairs));
  // And of the deviation itself, with kurtosis 3 (1 + 2/d): sqrt((2 + 6/d) / n) / 2 relative.
  EXPECT_NEAR(std::sqrt(sum_squares / kPairs), 8.0, 4 * 8.0 * 0.5 * std::sqrt(2.1 / kPairs));
}

// The other two: AttentionLayer.DividingByTheInverseRootMultipliesByTheRoot and
// DocumentAttention.TriuWithItsDiagonalLeavesTheFirstQueryNothing.

}  // namespace
}  // namespace tapehead
