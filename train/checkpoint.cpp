#include "train/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "train/digest.h"

namespace tapehead {

namespace {

template <typename Scalar>
NamedArrays<Scalar> arrays_of(const ParameterStore<Scalar>& store, const Tensor<Scalar>& buffer) {
  NamedArrays<Scalar> arrays;
  for (const Parameter<Scalar>& parameter : store.parameters()) {
    const Tensor<Scalar> part = store.part(buffer, parameter);
    const auto sizes = part.shape().sizes();
    const auto values = part.values();
    arrays[parameter.name()] = {{sizes.begin(), sizes.end()}, {values.begin(), values.end()}};
  }
  return arrays;
}

template <typename Scalar>
void copy_into(const NamedArrays<Scalar>& arrays, const ParameterStore<Scalar>& store,
               const Tensor<Scalar>& buffer) {
  for (const Parameter<Scalar>& parameter : store.parameters()) {
    Tensor<Scalar> part = store.part(buffer, parameter);
    std::ranges::copy(arrays.at(parameter.name()).values, part.data());
  }
}

std::string shape_text(std::span<const Index> sizes) {
  return fmt::format("({})", fmt::join(sizes, ", "));
}

// Adds what `arrays` lacks, has too much, or has in another shape than the store. `prefix` stands
// before each name.
template <typename Scalar>
void compare(const NamedArrays<Scalar>& arrays, const ParameterStore<Scalar>& store,
             const std::string& prefix, std::vector<std::string>& problems) {
  for (const Parameter<Scalar>& parameter : store.parameters()) {
    const auto found = arrays.find(parameter.name());
    if (found == arrays.end()) {
      problems.push_back(
          fmt::format("missing {}{} {}", prefix, parameter.name(), parameter.shape().str()));
    } else if (!std::ranges::equal(found->second.shape, parameter.shape().sizes())) {
      problems.push_back(fmt::format("{}{} is {}, the model's is {}", prefix, parameter.name(),
                                     shape_text(found->second.shape), parameter.shape().str()));
    }
  }
  for (const auto& [name, array] : arrays) {
    if (store.contains(name)) continue;
    problems.push_back(fmt::format("extra {}{} {}", prefix, name, shape_text(array.shape)));
  }
}

template <typename Scalar>
void compare_optimizer(const Checkpoint<Scalar>& checkpoint, const ParameterStore<Scalar>& store,
                       const Optimizer<Scalar>& optimizer, std::vector<std::string>& problems) {
  if (checkpoint.optimizer != optimizer.name()) {
    problems.push_back(fmt::format("the optimizer is '{}', the run's is '{}'", checkpoint.optimizer,
                                   optimizer.name()));
    return;
  }
  for (const OptimizerState<Scalar>& state : optimizer.state()) {
    const auto found = checkpoint.optimizer_state.find(state.name);
    if (found == checkpoint.optimizer_state.end()) {
      problems.push_back(fmt::format("missing optimizer state '{}'", state.name));
    } else {
      compare(found->second, store, state.name + " of ", problems);
    }
  }
  for (const auto& [name, arrays] : checkpoint.optimizer_state) {
    if (std::ranges::count(optimizer.state(), name, &OptimizerState<Scalar>::name) > 0) continue;
    problems.push_back(fmt::format("extra optimizer state '{}'", name));
  }
}

}  // namespace

template <typename Scalar>
Checkpoint<Scalar> capture(CheckpointInfo info, const ParameterStore<Scalar>& store,
                           const Optimizer<Scalar>* optimizer) {
  Checkpoint<Scalar> checkpoint;
  checkpoint.info = std::move(info);
  checkpoint.info.digest = parameter_digest(store);
  checkpoint.parameters = arrays_of(store, store.values());
  if (optimizer == nullptr) return checkpoint;
  checkpoint.optimizer = optimizer->name();
  checkpoint.optimizer_steps = optimizer->step_count();
  for (const OptimizerState<Scalar>& state : optimizer->state()) {
    checkpoint.optimizer_state[state.name] = arrays_of(store, state.values);
  }
  return checkpoint;
}

template <typename Scalar>
void restore(const Checkpoint<Scalar>& checkpoint, const ParameterStore<Scalar>& store,
             Optimizer<Scalar>* optimizer, const std::string& source) {
  std::vector<std::string> problems;
  compare(checkpoint.parameters, store, "", problems);
  if (optimizer != nullptr) compare_optimizer(checkpoint, store, *optimizer, problems);
  if (!problems.empty()) {
    throw IoError(fmt::format(
        "{}: does not fit this model:\n  {}\nIts own configuration is stored in it; was another "
        "one given?",
        source, fmt::join(problems, "\n  ")));
  }
  copy_into(checkpoint.parameters, store, store.values());
  if (optimizer == nullptr) return;
  optimizer->set_step_count(checkpoint.optimizer_steps);
  for (const OptimizerState<Scalar>& state : optimizer->state()) {
    copy_into(checkpoint.optimizer_state.at(state.name), store, state.values);
  }
}

template Checkpoint<float> capture(CheckpointInfo, const ParameterStore<float>&,
                                   const Optimizer<float>*);
template void restore(const Checkpoint<float>&, const ParameterStore<float>&, Optimizer<float>*,
                      const std::string&);
template Checkpoint<double> capture(CheckpointInfo, const ParameterStore<double>&,
                                    const Optimizer<double>*);
template void restore(const Checkpoint<double>&, const ParameterStore<double>&, Optimizer<double>*,
                      const std::string&);

}  // namespace tapehead
