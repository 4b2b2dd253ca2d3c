#include "optim/optimizer.h"

#include <cmath>
#include <limits>

#include "optim/adam.h"
#include "optim/sgd.h"
#include "tests/optim/update_cases.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

void add_one_of_each_kind(ParameterStore<double>& store) {
  testing::add_vector(store, "weight", ParameterKind::kWeight, {1.0, 1.0, 1.0});
  testing::add_vector(store, "bias", ParameterKind::kBias, {1.0, 1.0, 1.0});
  testing::add_vector(store, "norm", ParameterKind::kNorm, {1.0});
  testing::add_vector(store, "embedding", ParameterKind::kEmbedding, {1.0, 1.0});
  testing::add_vector(store, "weight2", ParameterKind::kWeight, {1.0, 1.0});
}

// With gradient 0 nothing but decay moves a number: p (1 - lr wd).
TEST(Optimizer, DecayLeavesOutBiasesNormsAndEmbeddingsOnRequest) {
  ParameterStore<double> store;
  add_one_of_each_kind(store);
  Adam<double> adamw(store, {.weight_decay = 0.5, .decoupled = true, .decay_all = false});
  adamw.step(store.values(), store.make_buffer(), 0.1);
  testing::expect_bits_equal(store.find("weight").value(), {{3}, {0.95, 0.95, 0.95}});
  testing::expect_bits_equal(store.find("bias").value(), {{3}, {1, 1, 1}});
  testing::expect_bits_equal(store.find("norm").value(), {{1}, {1}});
  testing::expect_bits_equal(store.find("embedding").value(), {{2}, {1, 1}});
  testing::expect_bits_equal(store.find("weight2").value(), {{2}, {0.95, 0.95}});
}

TEST(Optimizer, DecaysEmbeddingsOnRequest) {
  ParameterStore<double> store;
  add_one_of_each_kind(store);
  Sgd<double> sgd(store, {.weight_decay = 0.5, .decay_all = false, .decay_embeddings = true});
  sgd.step(store.values(), store.make_buffer(), 0.1);
  testing::expect_bits_equal(store.find("weight").value(), {{3}, {0.95, 0.95, 0.95}});
  testing::expect_bits_equal(store.find("bias").value(), {{3}, {1, 1, 1}});
  testing::expect_bits_equal(store.find("norm").value(), {{1}, {1}});
  testing::expect_bits_equal(store.find("embedding").value(), {{2}, {0.95, 0.95}});
}

TEST(Optimizer, DecayActsOnAllByDefault) {
  ParameterStore<double> store;
  add_one_of_each_kind(store);
  Sgd<double> sgd(store, {.weight_decay = 0.5});
  sgd.step(store.values(), store.make_buffer(), 0.1);
  for (const auto& parameter : store.parameters()) {
    const Tensor<double> value = parameter.value();
    EXPECT_THAT(value.values(), ::testing::Each(0.95));
  }
}

TEST(Optimizer, GapsStayZero) {
  ParameterStore<double> store;
  add_one_of_each_kind(store);
  Tensor<double> outside = store.make_buffer();  // 1 in the gaps, 0 in the parameters
  outside.fill(1);
  for (const auto& parameter : store.parameters()) store.part(outside, parameter).fill(0);
  Adam<double> adam(store, {.weight_decay = 0.1, .amsgrad = true});
  testing::run_steps(store, adam, 3);
  for (Index i = 0; i < outside.size(); ++i) {
    if (outside[i] == 0) continue;
    EXPECT_EQ(store.values()[i], 0) << i;
    for (const auto& state : adam.state()) EXPECT_EQ(state.values[i], 0) << state.name << i;
  }
}

// The factor is that of clipping: the same as gradients multiplied beforehand.
TEST(Optimizer, GradientFactorMultipliesTheGradients) {
  ParameterStore<double> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0, 2.0});
  Tensor<double> gradients = store.make_buffer();
  gradients[0] = 4;
  gradients[1] = -8;
  Sgd<double>(store, {}).step(store.values(), gradients, 0.5, 0.25);
  testing::expect_bits_equal(store.find("w").value(), {{2}, {0.5, 3.0}});
}

TEST(Optimizer, BitsDoNotDependOnThreads) {
  const auto run = [](int threads) {
    ParameterStore<float> store;
    store.add("w", {50001}, ParameterKind::kWeight, [](std::span<float> out) {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::sin(static_cast<float>(i));
    });
    store.add("b", {777}, ParameterKind::kBias, [](std::span<float> out) {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::cos(static_cast<float>(i));
    });
    Adam<float> adam(store, {.weight_decay = 0.1, .decoupled = true, .decay_all = false});
    for (int i = 0; i < 3; ++i)
      adam.step(store.values(), store.values().clone(), 0.1, 0.7, threads);
    return store.values().clone();
  };
  const Tensor<float> serial = run(1);
  testing::expect_bits_equal(run(2), serial);
  testing::expect_bits_equal(run(3), serial);
}

TEST(Optimizer, ContinuesFromItsStateAndStepCount) {
  ParameterStore<double> whole, first, second;
  for (auto* store : {&whole, &first, &second}) {
    testing::add_vector(*store, "w", ParameterKind::kWeight, {1.0, -2.0, 0.5});
  }
  Adam<double> never_stopped(whole, {.amsgrad = true});
  testing::run_steps(whole, never_stopped, 7);

  Adam<double> stopped(first, {.amsgrad = true});
  testing::run_steps(first, stopped, 4);
  Adam<double> resumed(second, {.amsgrad = true});
  std::ranges::copy(first.values().values(), Tensor<double>(second.values()).data());
  for (std::size_t i = 0; i < resumed.state().size(); ++i) {
    Tensor<double> to = resumed.state()[i].values;
    std::ranges::copy(stopped.state()[i].values.values(), to.data());
  }
  resumed.set_step_count(stopped.step_count());
  testing::run_steps(second, resumed, 3);

  EXPECT_EQ(resumed.step_count(), 7);
  testing::expect_bits_equal(second.values(), whole.values());
}

TEST(Optimizer, RefusesImpossibleStepsAndLeavesTheParameters) {
  ParameterStore<double> store;
  testing::add_vector(store, "w", ParameterKind::kWeight, {1.0});
  Sgd<double> sgd(store, {});
  const Tensor<double> gradients = store.make_buffer();
  testing::expect_error<ValueError>([&] { sgd.step(store.values(), gradients, -0.5); },
                                    "lr is -0.5");
  testing::expect_error<ValueError>([&] { sgd.step(store.values(), gradients, std::nan("")); },
                                    "lr is nan");
  testing::expect_error<ShapeError>(
      [&] { sgd.step(store.values(), Tensor<double>({3}), 0.5); },
      "the buffer of gradients has 3 numbers, the parameter store has 8");
  testing::expect_error<ValueError>([&] { sgd.set_step_count(-4); }, "step count -4");
  EXPECT_EQ(sgd.step_count(), 0);
  EXPECT_EQ(store.find("w").value()[0], 1.0);
}

}  // namespace
}  // namespace tapehead
