#include "train/build_optimizer.h"

#include "optim/adam.h"
#include "optim/sgd.h"

namespace tapehead {

template <typename Scalar>
std::unique_ptr<Optimizer<Scalar>> build_optimizer(const OptimizerConfig& config,
                                                   const ParameterStore<Scalar>& store) {
  if (config.name == OptimizerKind::kSgd) {
    return std::make_unique<Sgd<Scalar>>(store,
                                         SgdOptions{.momentum = config.momentum,
                                                    .nesterov = config.nesterov,
                                                    .weight_decay = config.weight_decay,
                                                    .decay_all = config.decay_all,
                                                    .decay_embeddings = config.decay_embeddings});
  }
  return std::make_unique<Adam<Scalar>>(
      store, AdamOptions{.beta1 = config.betas[0],
                         .beta2 = config.betas[1],
                         .eps = config.eps,
                         .weight_decay = config.weight_decay,
                         .decoupled = config.name == OptimizerKind::kAdamW,
                         .amsgrad = config.amsgrad,
                         .decay_all = config.decay_all,
                         .decay_embeddings = config.decay_embeddings});
}

Schedule build_schedule(const Config& config) {
  return Schedule({.kind = config.optimizer.schedule,
                   .lr = config.optimizer.lr,
                   .min_lr = config.optimizer.min_lr,
                   .warmup = config.optimizer.warmup,
                   .total = config.train.steps});
}

template std::unique_ptr<Optimizer<float>> build_optimizer(const OptimizerConfig&,
                                                           const ParameterStore<float>&);
template std::unique_ptr<Optimizer<double>> build_optimizer(const OptimizerConfig&,
                                                            const ParameterStore<double>&);

}  // namespace tapehead
