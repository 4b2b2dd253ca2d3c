#include "optim/sgd.h"

#include "tests/optim/update_cases.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::after_three_steps;

// Expected numbers: PyTorch 1.13 in float64, lr 0.1:
//
//   p = torch.nn.Parameter(torch.tensor([1.0, -2.0, 0.5]))
//   o = torch.optim.SGD([p], lr=0.1, ...)
//   for t in 1, 2, 3: p.grad = torch.tensor([0.3, -1.0, 2.0]) / t**2; o.step()

TEST(Sgd, PlainMatchesPyTorch) {
  testing::expect_near(after_three_steps<Sgd<double>>(SgdOptions{}),
                       {{3}, {0.9591666666666667, -1.863888888888889, 0.22777777777777777}}, 1e-15);
}

TEST(Sgd, WeightDecayMatchesPyTorch) {
  testing::expect_near(after_three_steps<Sgd<double>>(SgdOptions{.weight_decay = 0.2}),
                       {{3}, {0.9016966666666667, -1.750732888888889, 0.20729377777777774}}, 1e-15);
}

TEST(Sgd, MomentumWithDecayMatchesPyTorch) {
  testing::expect_near(
      after_three_steps<Sgd<double>>(SgdOptions{.momentum = 0.9, .weight_decay = 0.2}),
      {{3}, {0.7932466666666667, -1.457872888888889, -0.19824622222222232}}, 1e-15);
}

TEST(Sgd, NesterovWithDecayMatchesPyTorch) {
  testing::expect_near(after_three_steps<Sgd<double>>(
                           SgdOptions{.momentum = 0.9, .nesterov = true, .weight_decay = 0.2}),
                       {{3}, {0.7213379866666667, -1.2784221848888888, -0.39900477822222236}},
                       1e-15);
}

TEST(Sgd, KeepsMomentumOnlyIfThereIsOne) {
  ParameterStore<double> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0});
  EXPECT_TRUE(Sgd<double>(store, {}).state().empty());
  const Sgd<double> with(store, {.momentum = 0.5});
  ASSERT_EQ(with.state().size(), 1u);
  EXPECT_EQ(with.state()[0].name, "momentum");
}

TEST(Sgd, RefusesNesterovWithoutMomentum) {
  ParameterStore<float> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0f});
  testing::expect_error<ValueError>([&] { Sgd<float>(store, {.nesterov = true}); },
                                    "momentum is 0; Nesterov needs momentum > 0");
}

TEST(Sgd, RefusesImpossibleNumbers) {
  ParameterStore<float> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0f});
  testing::expect_error<ValueError>([&] { Sgd<float>(store, {.momentum = 1.0}); }, "momentum is 1");
  testing::expect_error<ValueError>([&] { Sgd<float>(store, {.momentum = -0.5}); },
                                    "momentum is -0.5");
  testing::expect_error<ValueError>([&] { Sgd<float>(store, {.weight_decay = -0.25}); },
                                    "weight_decay is -0.25");
}

}  // namespace
}  // namespace tapehead
