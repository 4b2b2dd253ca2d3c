#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "autograd/parameter_store.h"
#include "base/random.h"
#include "layers/init_options.h"

namespace tapehead {

/// What a weight is used for, as far as initialisation cares.
enum class WeightRole {
  kPlain,
  kQueryOrKey,  ///< projection to the queries or keys of attention
  kResidual     ///< the last projection of a residual branch
};

/// Hands a layer the place where it adds its parameters: a store, the path of its name, and the
/// random numbers for initial values.
///
///     ParameterStore<float> store;
///     Builder<float> root(store, 1);
///     Linear<float> fc(root / "fc", 4, 8);          // adds "fc.weight" and "fc.bias"
template <typename ScalarType>
class Builder {
 public:
  using Scalar = ScalarType;

  Builder(ParameterStore<Scalar>& store, std::uint64_t seed, const InitOptions& init = {});

  /// The place one level down.
  Builder operator/(std::string_view child) const;
  Builder operator/(Index child) const { return *this / std::string_view(std::to_string(child)); }

  const std::string& path() const { return path_; }
  /// True if the model is built only to learn what parameters it has: it will never compute, so
  /// layers make no tables.
  bool shapes_only() const {
    return shared_->store.mode() == ParameterStore<Scalar>::Mode::kShapesOnly;
  }
  /// A number that no other layer of this model has; names a dropout's random numbers.
  std::uint32_t next_layer_id() const { return shared_->next_layer_id++; }

  // Each adds one parameter, called `name` below this place.
  const Parameter<Scalar>& linear_weight(std::string_view name, Index out, Index in,
                                         WeightRole role = WeightRole::kPlain) const;
  /// Of a convolution over time, (out, in, taps); its bias is linear_bias() of in * taps inputs.
  const Parameter<Scalar>& conv_weight(std::string_view name, Index out, Index in,
                                       Index taps) const;
  const Parameter<Scalar>& linear_bias(std::string_view name, Index out, Index in) const;
  const Parameter<Scalar>& embedding(std::string_view name, Index rows, Index width) const;
  /// Weights and biases of norms, and other scalars that start at a constant.
  const Parameter<Scalar>& constant(std::string_view name, const Shape& shape, double value) const;

 private:
  struct Shared {
    ParameterStore<Scalar>& store;
    Random random;
    InitOptions init;
    std::uint32_t next_layer_id = 0;
  };
  const Parameter<Scalar>& uniform(std::string_view name, const Shape& shape, ParameterKind kind,
                                   double bound) const;
  const Parameter<Scalar>& normal(std::string_view name, const Shape& shape, ParameterKind kind,
                                  double std) const;
  std::string full_name(std::string_view name) const;

  std::shared_ptr<Shared> shared_;
  std::string path_;
};

}  // namespace tapehead
