#include "autograd/parameter_store.h"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace tapehead {

namespace {

constexpr Index kMaxIndex = std::numeric_limits<Index>::max();

// Sizes and sums of sizes that stop at the largest Index.
Index bounded_size(const Shape& shape) {
  Index size = 1;
  for (const Index n : shape.sizes()) {
    if (n > 0 && size > kMaxIndex / n) return kMaxIndex;
    size *= n;
  }
  return size;
}

Index bounded_sum(Index a, Index b) { return a > kMaxIndex - b ? kMaxIndex : a + b; }

}  // namespace

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
  const Index offset = mode_ == Mode::kValues ? add_values(shape, initialize) : 0;
  Parameter<Scalar>& parameter = parameters_.emplace_back();
  parameter.name_ = std::move(name);
  parameter.shape_ = shape;
  parameter.kind_ = kind;
  parameter.index_ = static_cast<Index>(parameters_.size()) - 1;
  parameter.offset_ = offset;
  parameter.store_ = this;
  by_name_.emplace(parameter.name_, parameters_.size() - 1);
  parameter_count_ = bounded_sum(parameter_count_, bounded_size(shape));
  return parameter;
}

template <typename Scalar>
Index ParameterStore<Scalar>::add_values(const Shape& shape, const Initializer& initialize) {
  constexpr auto kPerLine = static_cast<Index>(Storage::kAlignment / sizeof(Scalar));
  const auto offset = static_cast<Index>(initial_.size());
  const Index padded = (shape.size() + kPerLine - 1) / kPerLine * kPerLine;
  initial_.resize(static_cast<std::size_t>(offset + padded), Scalar(0));
  initialize(std::span<Scalar>(initial_).subspan(static_cast<std::size_t>(offset),
                                                 static_cast<std::size_t>(shape.size())));
  return offset;
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
  if (mode_ == Mode::kShapesOnly) {
    throw StateError(
        "parameter store: it records shapes only and has no values; build the model on a store "
        "that holds values to compute with it");
  }
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
