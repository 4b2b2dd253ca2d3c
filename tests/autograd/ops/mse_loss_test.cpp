#include "autograd/ops/mse_loss.h"

#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(MseLoss, MatchesItsClosedForm) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {1, 2, 3, 4}}, true);
  const auto target = tape.leaf({{2, 2}, {1, 0, 0, 5}}, true);
  const auto loss = mse_loss(x, target);
  EXPECT_EQ(loss.shape(), Shape());
  EXPECT_DOUBLE_EQ(loss.value().item(), 14.0 / 4);
  tape.backward(loss);
  testing::expect_near(x.grad(), {{2, 2}, {0, 1, 1.5, -0.5}}, 1e-15);
  testing::expect_near(target.grad(), {{2, 2}, {0, -1, -1.5, 0.5}}, 1e-15);
}

TEST(MseLoss, RefusesDifferentShapes) {
  Tape<double> tape;
  const auto a = tape.leaf(Tensor<double>({2, 3}));
  const auto b = tape.leaf(Tensor<double>({3}));
  testing::expect_error<ShapeError>([&] { mse_loss(a, b); },
                                    "mse_loss: x .*\\(2, 3\\), target .*\\(3\\)");
}

}  // namespace
}  // namespace tapehead
