#pragma once

#include <memory>

#include "optim/optimizer.h"
#include "optim/schedule.h"
#include "train/config/config.h"

namespace tapehead {

/// The optimizer that `config` describes, for the parameters of `store`.
template <typename Scalar>
std::unique_ptr<Optimizer<Scalar>> build_optimizer(const OptimizerConfig& config,
                                                   const ParameterStore<Scalar>& store);

/// The learning rate over the run's steps.
Schedule build_schedule(const Config& config);

}  // namespace tapehead
