#include "autograd/ops/linear.h"
#include "autograd/tape.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

// y = x_0, whose gradient touches one number of x.
Var<double> first_of(const Var<double>& x) {
  return x.tape().record_custom(
      "first_of", Tensor<double>::scalar(x.value()[0]), {x},
      [x](Tape<double>& t, const Tensor<double>& /*y*/, const Tensor<double>& dy) {
        t.accumulate(x, [&dy](double* sum) { sum[0] += dy[0]; });
      });
}

// y = a + b, which hands one gradient tensor to both.
Var<double> sum_of(const Var<double>& a, const Var<double>& b) {
  return a.tape().record_custom(
      "sum_of", Tensor<double>::scalar(a.value()[0] + b.value()[0]), {a, b},
      [a, b](Tape<double>& t, const Tensor<double>& /*y*/, const Tensor<double>& dy) {
        t.add_grad(a, dy);
        t.add_grad(b, dy);
      });
}

TEST(Accumulate, BeginsFromZerosAndAddsUp) {
  Tape<double> tape;
  const auto x = tape.leaf({{3}, {1, 2, 3}}, true);
  tape.backward(sum_of(first_of(x), first_of(x)));
  testing::expect_bits_equal(x.grad(), {{3}, {2, 0, 0}});
}

TEST(Accumulate, DoesNotWriteToAGradientThatAnotherValueShares) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>::scalar(1), true);
  const auto z = tape.leaf(Tensor<double>::scalar(2), true);
  // Backward runs through sum_of first: x and z then share one tensor, and x gets more.
  const auto more = first_of(x);
  tape.backward(sum_of(sum_of(x, z), more));
  EXPECT_EQ(x.grad().item(), 2);
  EXPECT_EQ(z.grad().item(), 1);
}

TEST(Accumulate, IsNotCalledForWhatNeedsNoGradient) {
  Tape<double> tape;
  const auto x = tape.leaf({{1, 2}, {1, 2}}, true);
  const auto w = tape.leaf({{1, 2}, {3, 4}});
  const auto b = tape.leaf({{1}, {5}});
  tape.backward(linear(x, w, b));
  testing::expect_bits_equal(x.grad(), {{1, 2}, {3, 4}});
  testing::expect_error<StateError>([&] { (void)b.grad(); }, "it requires no gradient");
}

}  // namespace
}  // namespace tapehead
