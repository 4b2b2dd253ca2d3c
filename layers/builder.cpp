#include "layers/builder.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {
// The stream of a seed's random numbers that initial values come from.
constexpr std::uint32_t kInitStream = 1;
}  // namespace

template <typename Scalar>
Builder<Scalar>::Builder(ParameterStore<Scalar>& store, std::uint64_t seed, const InitOptions& init)
    : shared_(std::make_shared<Shared>(Shared{store, Random(seed, kInitStream), init})) {
  if (!(init.std >= 0) || init.residual_layers < 1) {
    throw ValueError(
        fmt::format("init: std {} must not be negative, and residual_layers {} must be at least 1",
                    init.std, init.residual_layers));
  }
}

template <typename Scalar>
std::string Builder<Scalar>::full_name(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

template <typename Scalar>
Builder<Scalar> Builder<Scalar>::operator/(std::string_view child) const {
  Builder below = *this;
  below.path_ = full_name(child);
  return below;
}

template <typename Scalar>
const Parameter<Scalar>& Builder<Scalar>::uniform(std::string_view name, const Shape& shape,
                                                  ParameterKind kind, double bound) const {
  Random& random = shared_->random;
  return shared_->store.add(full_name(name), shape, kind, [&random, bound](std::span<Scalar> x) {
    for (Scalar& v : x) v = static_cast<Scalar>(random.uniform(-bound, bound));
  });
}

template <typename Scalar>
const Parameter<Scalar>& Builder<Scalar>::normal(std::string_view name, const Shape& shape,
                                                 ParameterKind kind, double std) const {
  Random& random = shared_->random;
  return shared_->store.add(full_name(name), shape, kind, [&random, std](std::span<Scalar> x) {
    for (Scalar& v : x) v = static_cast<Scalar>(std * random.normal());
  });
}

template <typename Scalar>
const Parameter<Scalar>& Builder<Scalar>::constant(std::string_view name, const Shape& shape,
                                                   double value) const {
  return shared_->store.add(full_name(name), shape, ParameterKind::kNorm,
                            [value](std::span<Scalar> x) {
                              for (Scalar& v : x) v = static_cast<Scalar>(value);
                            });
}

template <typename Scalar>
const Parameter<Scalar>& Builder<Scalar>::linear_weight(std::string_view name, Index out, Index in,
                                                        WeightRole role) const {
  if (in < 1 || out < 1) {
    throw ValueError(fmt::format("{}: {} inputs and {} outputs; both must be at least 1",
                                 full_name(name), in, out));
  }
  const InitOptions& init = shared_->init;
  if (init.scheme != InitOptions::Scheme::kNormal) {
    const bool unit =
        init.scheme == InitOptions::Scheme::kUnitQueriesAndKeys && role == WeightRole::kQueryOrKey;
    const double gain = unit ? std::sqrt(3.0) : 1.0;
    return uniform(name, {out, in}, ParameterKind::kWeight,
                   gain / std::sqrt(static_cast<double>(in)));
  }
  const double branches = 2.0 * static_cast<double>(init.residual_layers);
  const double std = role == WeightRole::kResidual ? init.std / std::sqrt(branches) : init.std;
  return normal(name, {out, in}, ParameterKind::kWeight, std);
}

template <typename Scalar>
const Parameter<Scalar>& Builder<Scalar>::conv_weight(std::string_view name, Index out, Index in,
                                                      Index taps) const {
  if (in < 1 || out < 1 || taps < 1) {
    throw ValueError(fmt::format("{}: {} inputs, {} outputs and {} taps; each must be at least 1",
                                 full_name(name), in, out, taps));
  }
  const InitOptions& init = shared_->init;
  const Shape shape = {out, in, taps};
  if (init.scheme != InitOptions::Scheme::kNormal) {
    return uniform(name, shape, ParameterKind::kWeight,
                   1.0 / std::sqrt(static_cast<double>(in * taps)));
  }
  return normal(name, shape, ParameterKind::kWeight, init.std);
}

template <typename Scalar>
const Parameter<Scalar>& Builder<Scalar>::linear_bias(std::string_view name, Index out,
                                                      Index in) const {
  const bool pytorch = shared_->init.scheme != InitOptions::Scheme::kNormal;
  return uniform(name, {out}, ParameterKind::kBias,
                 pytorch ? 1.0 / std::sqrt(static_cast<double>(in)) : 0.0);
}

template <typename Scalar>
const Parameter<Scalar>& Builder<Scalar>::embedding(std::string_view name, Index rows,
                                                    Index width) const {
  if (rows < 1 || width < 1) {
    throw ValueError(fmt::format("{}: a table of {} rows of width {}; both must be at least 1",
                                 full_name(name), rows, width));
  }
  const bool pytorch = shared_->init.scheme != InitOptions::Scheme::kNormal;
  return normal(name, {rows, width}, ParameterKind::kEmbedding, pytorch ? 1.0 : shared_->init.std);
}

template class Builder<float>;
template class Builder<double>;

}  // namespace tapehead
