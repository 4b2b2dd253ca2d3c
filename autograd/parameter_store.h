#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autograd/tensor.h"

namespace tapehead {

/// What a parameter is for: optimizers may leave some kinds out of weight decay.
enum class ParameterKind { kWeight, kBias, kNorm, kEmbedding };

template <typename Scalar>
class ParameterStore;

/// A named part of a ParameterStore's flat buffer. Lives as long as its store.
template <typename Scalar>
class Parameter {
 public:
  /// The path of the parameter, e.g. "blocks.0.attention.fc_q.weight"; also its name in
  /// checkpoints.
  const std::string& name() const { return name_; }
  const Shape& shape() const { return shape_; }
  ParameterKind kind() const { return kind_; }
  /// Position in the store's list.
  Index index() const { return index_; }
  /// First element in the flat buffer.
  Index offset() const { return offset_; }
  Index size() const { return shape_.size(); }
  const ParameterStore<Scalar>& store() const { return *store_; }
  /// A view into the flat buffer.
  Tensor<Scalar> value() const;

 private:
  friend class ParameterStore<Scalar>;
  std::string name_;
  Shape shape_;
  ParameterKind kind_ = ParameterKind::kWeight;
  Index index_ = 0;
  Index offset_ = 0;
  const ParameterStore<Scalar>* store_ = nullptr;
};

/// All parameters of a model in one flat buffer, in the order in which they were added.
///
/// This is the only list of parameters: initialisation, optimizers, clipping, gradient checks,
/// checkpoints and digests walk it. Each parameter begins at a multiple of a cache line; the gaps
/// hold zeros. Gradients live in buffers of the same layout, one a shard (make_buffer()).
template <typename Scalar>
class ParameterStore {
 public:
  /// Writes the initial values of one parameter.
  using Initializer = std::function<void(std::span<Scalar>)>;
  enum class Mode {
    kValues,     ///< holds the parameters' values
    kShapesOnly  ///< only records what is added, so that a model of any size can be described:
                 ///< allocates nothing and never calls an initializer
  };

  explicit ParameterStore(Mode mode = Mode::kValues) : mode_(mode) {}
  ParameterStore(const ParameterStore&) = delete;
  ParameterStore& operator=(const ParameterStore&) = delete;

  Mode mode() const { return mode_; }

  /// Adds a parameter and initialises it. The reference stays valid as long as the store.
  /// Throws ValueError if the name is taken or empty, StateError once values() has been handed out
  /// (the buffer could move under the views).
  const Parameter<Scalar>& add(std::string name, const Shape& shape, ParameterKind kind,
                               const Initializer& initialize);

  const std::deque<Parameter<Scalar>>& parameters() const { return parameters_; }
  /// Throws ValueError, listing the names there are, if there is none called `name`.
  const Parameter<Scalar>& find(std::string_view name) const;
  bool contains(std::string_view name) const { return by_name_.contains(std::string(name)); }
  /// Number of trainable numbers, without the gaps. Where an Index cannot hold it, as it may be
  /// with shapes only, the largest Index.
  Index parameter_count() const { return parameter_count_; }

  /// The flat buffer, gaps included. After the first call no parameter can be added. Throws
  /// StateError if only shapes were recorded.
  const Tensor<Scalar>& values() const;
  /// A buffer of zeros in the layout of values(): for gradients or an optimizer's moments.
  Tensor<Scalar> make_buffer() const { return Tensor<Scalar>(values().shape()); }
  /// The part of `buffer`, laid out as values(), that belongs to `parameter`.
  Tensor<Scalar> part(const Tensor<Scalar>& buffer, const Parameter<Scalar>& parameter) const {
    return buffer.view(parameter.offset(), parameter.shape());
  }

 private:
  // Makes room in the buffer and initialises it; returns where it begins.
  Index add_values(const Shape& shape, const Initializer& initialize);

  Mode mode_;
  std::deque<Parameter<Scalar>> parameters_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<Scalar> initial_;         // grows while parameters are added
  mutable std::once_flag values_made_;  // values() may first be called by several shards at once
  mutable Tensor<Scalar> values_;       // made from initial_ at the first call of values()
  Index parameter_count_ = 0;
};

}  // namespace tapehead
