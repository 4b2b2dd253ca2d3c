#include "optim/adam.h"

#include <cmath>

#include "tests/optim/update_cases.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::after_three_steps;

// Expected numbers: PyTorch 1.13 in float64, lr 0.1:
//
//   p = torch.nn.Parameter(torch.tensor([1.0, -2.0, 0.5]))
//   o = torch.optim.Adam([p], lr=0.1, ...)       (or AdamW)
//   for t in 1, 2, 3: p.grad = torch.tensor([0.3, -1.0, 2.0]) / t**2; o.step()

TEST(Adam, MatchesPyTorch) {
  testing::expect_near(after_three_steps<Adam<double>>(AdamOptions{}),
                       {{3}, {0.7462524201940057, -1.746252412444266, 0.2462524107836075}}, 1e-14);
}

// A large eps shows where it stands: beside the corrected root.
TEST(Adam, DecayAndEpsMatchPyTorch) {
  const AdamOptions options{.beta1 = 0.8, .beta2 = 0.95, .eps = 0.1, .weight_decay = 0.2};
  testing::expect_near(after_three_steps<Adam<double>>(options),
                       {{3}, {0.7749201661935038, -1.7479891121337277, 0.2630498010107773}}, 1e-14);
}

// The gradients shrink, so that the largest v is not the last.
TEST(Adam, AmsgradMatchesPyTorch) {
  const AdamOptions options{.beta1 = 0.5, .beta2 = 0.6, .amsgrad = true};
  testing::expect_near(after_three_steps<Adam<double>>(options),
                       {{3}, {0.7978655657225581, -1.7978655602521878, 0.29786555907996576}},
                       1e-14);
}

TEST(AdamW, MatchesPyTorch) {
  const AdamOptions options{.weight_decay = 0.2, .decoupled = true};
  testing::expect_near(after_three_steps<Adam<double>>(options),
                       {{3}, {0.6930656150533685, -1.6342576074492203, 0.22246960581976022}},
                       1e-14);
}

TEST(AdamW, AmsgradMatchesPyTorch) {
  const AdamOptions options{
      .beta1 = 0.5, .beta2 = 0.6, .weight_decay = 0.2, .decoupled = true, .amsgrad = true};
  testing::expect_near(after_three_steps<Adam<double>>(options),
                       {{3}, {0.744282476601292, -1.685474471260655, 0.27368647011623304}}, 1e-14);
}

// After one step from zero moments m/(1 - beta1) = g and sqrt(v/(1 - beta2)) = |g|.
TEST(Adam, FirstStepIsTheLearningRateInTheGradientsDirection) {
  ParameterStore<float> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0f, -2.0f, 0.5f});
  Adam<float> adam(store, {});
  testing::run_steps(store, adam, 1, 0.25);
  testing::expect_near(store.find("w").value(), {{3}, {0.75f, -1.75f, 0.25f}}, 1e-6);
}

TEST(Adam, NamesItselfAndItsState) {
  ParameterStore<float> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0f});
  EXPECT_EQ(Adam<float>(store, {}).name(), "adam");
  const Adam<float> adamw(store, {.decoupled = true, .amsgrad = true});
  EXPECT_EQ(adamw.name(), "adamw");
  ASSERT_EQ(adamw.state().size(), 3u);
  EXPECT_EQ(adamw.state()[0].name, "m");
  EXPECT_EQ(adamw.state()[1].name, "v");
  EXPECT_EQ(adamw.state()[2].name, "v_max");
}

TEST(Adam, RefusesImpossibleNumbers) {
  ParameterStore<float> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0f});
  const auto refuses = [&](const AdamOptions& options, const char* regex) {
    testing::expect_error<ValueError>([&] { Adam<float>(store, options); }, regex);
  };
  refuses({.beta1 = 1.0}, "beta1 is 1; it must be at least 0 and below 1");
  refuses({.beta2 = -0.5}, "beta2 is -0.5");
  refuses({.beta2 = std::nan("")}, "beta2 is nan");
  refuses({.eps = 0}, "eps is 0; it must be above 0");
  refuses({.eps = 1e-60}, "eps is 1e-60");
  refuses({.weight_decay = -1}, "weight_decay is -1");
}

}  // namespace
}  // namespace tapehead
