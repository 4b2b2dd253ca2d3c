#include "autograd/parameter_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace tapehead {

template <typename Scalar>
Tensor<Scalar> Parameter<Scalar>::value() const {
  return store_->part(store_->values(), *this);
}

template <typename Scalar>
const Parameter<Scalar>& ParameterStore<Scalar>::add(std::string name, const Shape& shape,
                                                     ParameterKind kind,
                                                     const Initializer& initialize) {
  if (values_.defined()) {
    throw StateError(fmt::format(
        "parameter store: '{}' added after the values were handed out; build the model first",
        name));
  }
  if (name.empty() || contains(name)) {
    throw ValueError(fmt::format("parameter store: the name '{}' is {}", name,
                                 name.empty() ? "empty" : "taken already"));
  }
  constexpr auto kPerLine = static_cast<Index>(Storage::kAlignment / sizeof(Scalar));
  const auto offset = static_cast<Index>(initial_.size());
  const Index padded = (shape.size() + kPerLine - 1) / kPerLine * kPerLine;
  initial_.resize(static_cast<std::size_t>(offset + padded), Scalar(0));
  initialize(std::span<Scalar>(initial_).subspan(static_cast<std::size_t>(offset),
                                                 static_cast<std::size_t>(shape.size())));

  Parameter<Scalar>& parameter = parameters_.emplace_back();
  parameter.name_ = std::move(name);
  parameter.shape_ = shape;
  parameter.kind_ = kind;
  parameter.index_ = static_cast<Index>(parameters_.size()) - 1;
  parameter.offset_ = offset;
  parameter.store_ = this;
  by_name_.emplace(parameter.name_, parameters_.size() - 1);
  parameter_count_ += shape.size();
  return parameter;
}

template <typename Scalar>
const Parameter<Scalar>& ParameterStore<Scalar>::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) {
    std::vector<std::string_view> names;
    for (const auto& p : parameters_) names.push_back(p.name());
    throw ValueError(fmt::format("parameter store: no parameter '{}'; there are: {}", name,
                                 fmt::join(names, ", ")));
  }
  return parameters_[found->second];
}

template <typename Scalar>
const Tensor<Scalar>& ParameterStore<Scalar>::values() const {
  std::call_once(values_made_, [this] {
    values_ =
        Tensor<Scalar>({static_cast<Index>(initial_.size())}, std::span<const Scalar>(initial_));
  });
  return values_;
}

template class Parameter<float>;
template class Parameter<double>;
template class ParameterStore<float>;
template class ParameterStore<double>;

}  // namespace tapehead
