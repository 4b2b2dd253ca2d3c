#pragma once

#include <span>
#include <vector>

#include "autograd/tape.h"

namespace tapehead::testing {

/// The value of f(span of Vars) at the given inputs.
template <typename Scalar = double, typename F>
Tensor<Scalar> value_of(const F& f, const std::vector<Tensor<Scalar>>& inputs) {
  Tape<Scalar> tape(Tape<Scalar>::Mode::kInference);
  std::vector<Var<Scalar>> in;
  for (const auto& x : inputs) in.push_back(tape.leaf(x));
  return f(std::span<const Var<Scalar>>(in)).value();
}

/// The gradients of sum(upstream * f(inputs)) with respect to every input.
template <typename Scalar = double, typename F>
std::vector<Tensor<Scalar>> gradients_of(const F& f, const std::vector<Tensor<Scalar>>& inputs,
                                         const Tensor<Scalar>& upstream) {
  Tape<Scalar> tape;
  std::vector<Var<Scalar>> in;
  for (const auto& x : inputs) in.push_back(tape.leaf(x, true));
  tape.backward(f(std::span<const Var<Scalar>>(in)), upstream);
  std::vector<Tensor<Scalar>> gradients;
  for (const auto& x : in) gradients.push_back(x.grad());
  return gradients;
}

}  // namespace tapehead::testing
