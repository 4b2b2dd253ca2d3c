#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autograd/gradcheck.h"
#include "layers/builder.h"

namespace tapehead {

namespace detail {

/// A layer, its parameters, and how to run it, for one scalar.
template <typename Scalar, typename Make>
struct LayerUnderCheck {
  ParameterStore<Scalar> store;
  decltype(std::declval<Make>()(std::declval<const Builder<Scalar>&>())) forward;

  explicit LayerUnderCheck(const Make& make) : forward(make(Builder<Scalar>(store, 7))) {}

  // The last inputs stand in for the parameters.
  Var<Scalar> operator()(Tape<Scalar>& tape, std::span<const Var<Scalar>> in) {
    const std::size_t inputs = in.size() - store.parameters().size();
    for (std::size_t p = 0; p < store.parameters().size(); ++p) {
      tape.substitute(store.parameters()[p], in[inputs + p]);
    }
    return forward(tape, in.first(inputs));
  }
};

template <typename Scalar, typename Make>
GradCase::Build<Scalar> build_layer(const Make& make) {
  auto layer = std::make_shared<LayerUnderCheck<Scalar, Make>>(make);
  return [layer](std::span<const Var<Scalar>> in) { return (*layer)(in[0].tape(), in); };
}

}  // namespace detail

/// A case that checks the gradients of a layer's inputs and of every parameter.
///
/// `make(builder)` makes the layer, for either scalar, and returns how to run it:
///
///     layer_case("with_bias", {randn({2, 3}, 1)}, [](const auto& at) {
///       return [fc = make_layer<Linear>(at, 3, 4)](auto&, auto in) { return fc->forward(in[0]); };
///     })
template <typename Make>
GradCase layer_case(std::string name, std::vector<Tensor<double>> inputs, const Make& make) {
  GradCase result;
  result.name = std::move(name);
  result.inputs = std::move(inputs);
  result.build = detail::build_layer<double>(make);
  result.build_float = detail::build_layer<float>(make);
  const detail::LayerUnderCheck<double, Make> fresh(make);
  for (const auto& parameter : fresh.store.parameters()) {
    // Perturbed, so that a weight of exactly 1 or a bias of 0 hides nothing.
    Tensor<double> value = parameter.value().clone();
    const Tensor<double> noise =
        randn(value.shape(), 1000 + static_cast<std::uint64_t>(parameter.index()), 0.1);
    for (Index i = 0; i < value.size(); ++i) value[i] += noise[i];
    result.inputs.push_back(value);
  }
  return result;
}

/// A layer of the builder's scalar, to be held by the function that runs it.
template <template <typename> class Layer, typename Scalar, typename... Args>
std::shared_ptr<const Layer<Scalar>> make_layer(const Builder<Scalar>& at, Args&&... args) {
  return std::make_shared<const Layer<Scalar>>(at, std::forward<Args>(args)...);
}

/// The names of the layers in the register.
std::vector<std::string_view> layer_names();
/// The cases of a layer, from the register. Throws ValueError if there is none of that name.
std::vector<GradCase> layer_grad_cases(std::string_view layer);

namespace cases {

#define TAPEHEAD_LAYER(name) std::vector<GradCase> name##_layer_cases();
#include "layers/layer_register.inc"
#undef TAPEHEAD_LAYER

}  // namespace cases

}  // namespace tapehead
