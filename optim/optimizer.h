#pragma once

#include <string>
#include <vector>

#include "autograd/parameter_store.h"
#include "autograd/tensor.h"
#include "optim/decay_ranges.h"

namespace tapehead {

/// What an optimizer remembers from step to step: a named buffer in the layout of the parameters.
template <typename Scalar>
struct OptimizerState {
  std::string name;       ///< "m", "v", ...; also its name in checkpoints
  Tensor<Scalar> values;  ///< shares its storage with the optimizer: writing here sets the state
};

/// An update rule on a store's flat buffer. It knows the store's layout and kinds, nothing of
/// layers.
///
/// Each number is updated on its own, in one pass over the buffer, so the bits do not depend on the
/// number of threads. The gaps between parameters stay zero, as a gap's gradient is zero.
template <typename Scalar>
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// "sgd", "adam" or "adamw".
  virtual std::string name() const = 0;

  /// One update of `values` with learning rate `lr` and the gradients times `gradient_factor`
  /// (which clipping gives). Allocates nothing. Throws ShapeError if a buffer is not laid out as
  /// the store, ValueError if `lr` is negative or not finite.
  void step(Tensor<Scalar> values, const Tensor<Scalar>& gradients, double lr,
            double gradient_factor = 1.0, int threads = 1);

  /// Number of updates made.
  Index step_count() const { return step_count_; }
  /// For resuming. Throws ValueError if negative.
  void set_step_count(Index count);
  /// What is remembered, in a fixed order.
  const std::vector<OptimizerState<Scalar>>& state() const { return state_; }

 protected:
  /// Everything that one update needs; `count` is the number of this update, from 1.
  struct Update {
    Scalar* values;
    const Scalar* gradients;
    double lr;
    double gradient_factor;
    Index count;
  };

  Optimizer(const ParameterStore<Scalar>& store, double weight_decay, DecayScope scope);
  /// Adds a buffer of zeros to the state. The pointer stays valid as long as the optimizer.
  Scalar* add_state(const ParameterStore<Scalar>& store, std::string name);

 private:
  /// Updates the numbers [begin, end), all of which have the same decay. Both are multiples of a
  /// cache line.
  virtual void update(const Update& update, Index begin, Index end, double weight_decay) = 0;

  Index size_;
  std::vector<DecayRange> ranges_;
  std::vector<OptimizerState<Scalar>> state_;
  Index step_count_ = 0;
};

}  // namespace tapehead
