#pragma once

#include "optim/optimizer.h"

namespace tapehead {

struct SgdOptions {
  double momentum = 0;
  bool nesterov = false;
  double weight_decay = 0;
  bool decay_all = true;          ///< false: biases, norms and embeddings are not decayed
  bool decay_embeddings = false;  ///< embeddings are decayed even so, as in nanoGPT
};

/// Stochastic gradient descent as torch.optim.SGD defines it (without dampening): the learning rate
/// multiplies the momentum buffer, it is not inside it, and decay is part of the gradient.
///
///   g_t = gradient + weight_decay p
///   b_t = momentum b_(t-1) + g_t                     b_0 = 0
///   p_t = p_(t-1) - lr b_t                           plain, momentum
///   p_t = p_(t-1) - lr (g_t + momentum b_t)          Nesterov
///
/// State: "momentum" (b), if momentum > 0. Nesterov: Sutskever et al. 2013, in PyTorch's form.
template <typename Scalar>
class Sgd final : public Optimizer<Scalar> {
 public:
  /// Throws ValueError unless 0 <= momentum < 1 and weight_decay >= 0, and if Nesterov is asked for
  /// without momentum.
  Sgd(const ParameterStore<Scalar>& store, const SgdOptions& options);

  std::string name() const override { return "sgd"; }

 private:
  using Update = typename Optimizer<Scalar>::Update;
  void update(const Update& update, Index begin, Index end, double weight_decay) override;

  SgdOptions options_;
  Scalar* momentum_ = nullptr;
};

}  // namespace tapehead
