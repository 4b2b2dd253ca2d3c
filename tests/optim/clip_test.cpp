#include "optim/clip.h"

#include <cmath>

#include "tests/optim/update_cases.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

// Gradients (3, 0) and (0, 4): norm 5.
class Clip : public ::testing::Test {
 protected:
  Clip() {
    store_.add("a", {2}, ParameterKind::kWeight, [](std::span<double>) {});
    store_.add("b", {2, 1}, ParameterKind::kBias, [](std::span<double>) {});
    gradients_ = store_.make_buffer();
    store_.part(gradients_, store_.find("a"))[0] = 3;
    store_.part(gradients_, store_.find("b"))[1] = 4;
  }

  ParameterStore<double> store_;
  Tensor<double> gradients_;
};

// torch.nn.utils.clip_grad_norm_([p], 1.0) turns (3, 0, 4) into (0.59999988000002402, 0,
// 0.79999984000003199) in float64.
TEST_F(Clip, MatchesPyTorch) {
  const Clipping clipping = clip_by_global_norm(store_, gradients_, 1.0);
  EXPECT_DOUBLE_EQ(clipping.norm, 5);
  EXPECT_DOUBLE_EQ(3 * clipping.factor, 0.59999988000002402);
  EXPECT_DOUBLE_EQ(4 * clipping.factor, 0.79999984000003199);
}

TEST_F(Clip, LeavesSmallGradientsAlone) {
  EXPECT_EQ(clip_by_global_norm(store_, gradients_, 6.0).factor, 1);
  EXPECT_EQ(clip_by_global_norm(store_, gradients_, kInf).factor, 1);
}

TEST_F(Clip, ZeroTurnsItOff) {
  const Clipping clipping = clip_by_global_norm(store_, gradients_, 0.0);
  EXPECT_EQ(clipping.factor, 1);
  EXPECT_DOUBLE_EQ(clipping.norm, 5);
}

TEST_F(Clip, GradientsOfZeroAreFine) {
  gradients_.fill(0);
  EXPECT_EQ(clip_by_global_norm(store_, gradients_, 1.0).factor, 1);
}

TEST_F(Clip, RefusesNegativeAndNan) {
  testing::expect_error<ValueError>([&] { clip_by_global_norm(store_, gradients_, -1.5); },
                                    "largest norm is -1.5");
  testing::expect_error<ValueError>([&] { clip_by_global_norm(store_, gradients_, std::nan("")); },
                                    "largest norm is nan");
}

TEST_F(Clip, NamesTheFirstGradientThatIsNotFinite) {
  store_.part(gradients_, store_.find("b"))[1] = std::nan("");
  testing::expect_error<NonFiniteError>(
      [&] { clip_by_global_norm(store_, gradients_, 0.0); },
      "gradient of 'b' \\(2, 1\\) is nan at \\(1, 0\\); the parameters were left as they were");
  store_.part(gradients_, store_.find("a"))[0] = -kInf;
  testing::expect_error<NonFiniteError>([&] { clip_by_global_norm(store_, gradients_, 1.0); },
                                        "'a' \\(2\\) is -inf at \\(0\\)");
}

TEST_F(Clip, SaysSoIfOnlyTheNormOverflows) {
  gradients_[0] = 1e200;
  testing::expect_error<NonFiniteError>([&] { clip_by_global_norm(store_, gradients_, 1.0); },
                                        "every gradient is finite, but their norm overflows");
}

TEST_F(Clip, RefusesABufferOfAnotherLayout) {
  testing::expect_error<ShapeError>([&] { clip_by_global_norm(store_, Tensor<double>({4}), 1.0); },
                                    "have 4 numbers, the parameter store has 16");
}

// 1 + 4 + 9 + ... + n^2 = n (n + 1) (2n + 1) / 6, exact in double, for sizes around the chunks'.
TEST(GlobalNorm, CountsEveryNumberOnce) {
  for (const Index n : {1, 15, 16, 17, 1023, 1024, 1025, 20011}) {
    Tensor<float> x({n});
    for (Index i = 0; i < n; ++i) x[i] = static_cast<float>(i + 1);
    const auto m = static_cast<double>(n);
    const double expected = std::sqrt(m * (m + 1) * (2 * m + 1) / 6);
    EXPECT_DOUBLE_EQ(global_norm(x), expected) << n;
    EXPECT_EQ(global_norm(x, 2), global_norm(x, 1)) << n;
    EXPECT_EQ(global_norm(x, 3), global_norm(x, 1)) << n;
  }
  EXPECT_EQ(global_norm(Tensor<float>({0})), 0);
}

}  // namespace
}  // namespace tapehead
