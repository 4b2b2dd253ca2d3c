#include "optim/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

// A multiple of a cache line; large enough that handing out a chunk costs little beside it.
constexpr Index kChunk = 8192;

void check_size(const char* name, Index size, const char* what, Index expected) {
  if (size != expected) {
    throw ShapeError(fmt::format("{}: {} has {} numbers, the parameter store has {}", name, what,
                                 size, expected));
  }
}

}  // namespace

template <typename Scalar>
Optimizer<Scalar>::Optimizer(const ParameterStore<Scalar>& store, double weight_decay,
                             DecayScope scope)
    : size_(store.values().size()), ranges_(decay_ranges(store, weight_decay, scope)) {
  if (!(weight_decay >= 0) || !std::isfinite(weight_decay)) {
    throw ValueError(
        fmt::format("optimizer: weight_decay is {}; it must be a number >= 0", weight_decay));
  }
}

template <typename Scalar>
Scalar* Optimizer<Scalar>::add_state(const ParameterStore<Scalar>& store, std::string name) {
  state_.push_back({std::move(name), store.make_buffer()});
  return state_.back().values.data();
}

template <typename Scalar>
void Optimizer<Scalar>::set_step_count(Index count) {
  if (count < 0) {
    throw ValueError(fmt::format("optimizer: step count {}; it must not be negative", count));
  }
  step_count_ = count;
}

template <typename Scalar>
void Optimizer<Scalar>::step(Tensor<Scalar> values, const Tensor<Scalar>& gradients, double lr,
                             double gradient_factor, int threads) {
  check_size("optimizer", values.size(), "the buffer of values", size_);
  check_size("optimizer", gradients.size(), "the buffer of gradients", size_);
  if (!(lr >= 0) || !std::isfinite(lr)) {
    throw ValueError(fmt::format("optimizer: lr is {}; it must be a number >= 0", lr));
  }
  ++step_count_;
  const Update now{values.data(), gradients.data(), lr, gradient_factor, step_count_};
  parallel_chunks(threads, size_, kChunk, [&](Index begin, Index end) {
    for (const DecayRange& range : ranges_) {
      const Index from = std::max(begin, range.begin);
      const Index to = std::min(end, range.end);
      if (from < to) update(now, from, to, range.weight_decay);
    }
  });
}

template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace tapehead
