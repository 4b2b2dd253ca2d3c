#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "autograd/parameter_store.h"
#include "optim/optimizer.h"

namespace tapehead::testing {

/// Adds a parameter with the given numbers.
template <typename Scalar>
void add_vector(ParameterStore<Scalar>& store, std::string name, ParameterKind kind,
                std::initializer_list<Scalar> numbers) {
  store.add(std::move(name), {static_cast<Index>(numbers.size())}, kind,
            [&](std::span<Scalar> out) { std::copy(numbers.begin(), numbers.end(), out.begin()); });
}

/// Makes `steps` updates of every parameter of size 3 with the gradients (0.3, -1, 2) / t^2.
template <typename Scalar>
void run_steps(const ParameterStore<Scalar>& store, Optimizer<Scalar>& optimizer, Index steps,
               double lr = 0.1) {
  Tensor<Scalar> gradients = store.make_buffer();
  for (Index i = 0; i < steps; ++i) {
    const auto t = static_cast<Scalar>(optimizer.step_count() + 1);
    for (const auto& parameter : store.parameters()) {
      Tensor<Scalar> part = store.part(gradients, parameter);
      const Scalar direction[] = {Scalar(0.3), Scalar(-1), Scalar(2)};
      for (Index j = 0; j < part.size(); ++j) part[j] = direction[j] / (t * t);
    }
    optimizer.step(store.values(), gradients, lr);
  }
}

/// The parameter (1, -2, 0.5), of kind weight, after three updates.
template <typename Rule, typename Options>
Tensor<double> after_three_steps(const Options& options) {
  ParameterStore<double> store;
  add_vector(store, "w", ParameterKind::kWeight, {1.0, -2.0, 0.5});
  Rule optimizer(store, options);
  run_steps(store, optimizer, 3);
  return store.find("w").value().clone();
}

}  // namespace tapehead::testing
