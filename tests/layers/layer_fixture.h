#pragma once

#include <cstdint>

#include "autograd/gradcheck.h"
#include "layers/builder.h"
#include "tests/support/expect.h"

namespace tapehead::testing {

/// A store, a place to build layers, and a tape to run them on.
struct LayerFixture {
  ParameterStore<double> store;
  Builder<double> root;
  Tape<double> tape;

  explicit LayerFixture(std::uint64_t seed = 1, const InitOptions& init = {})
      : root(store, seed, init) {}

  Var<double> input(const Shape& shape, std::uint64_t seed) {
    return tape.leaf(randn(shape, seed), true);
  }
  Tensor<double> value(const std::string& parameter) const { return store.find(parameter).value(); }
  void set(const std::string& parameter, const Tensor<double>& numbers) {
    Tensor<double> value = store.find(parameter).value();
    ASSERT_EQ(value.shape(), numbers.shape()) << parameter;
    for (Index i = 0; i < value.size(); ++i) value[i] = numbers[i];
  }
};

}  // namespace tapehead::testing
