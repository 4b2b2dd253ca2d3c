#pragma once

#include "optim/optimizer.h"

namespace tapehead {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;  ///< true: AdamW
  bool amsgrad = false;
  bool decay_all = true;          ///< false: biases, norms and embeddings are not decayed
  bool decay_embeddings = false;  ///< embeddings are decayed even so, as in nanoGPT
};

/// Adam (Kingma & Ba 2015, arXiv:1412.6980) and AdamW (Loshchilov & Hutter 2019,
/// arXiv:1711.05101) as torch.optim defines them.
///
///   g   = gradient + weight_decay p                  Adam: decay is part of the gradient
///   p  <- p - lr weight_decay p                      AdamW: decay acts on the parameter alone
///   m  <- beta1 m + (1 - beta1) g
///   v  <- beta2 v + (1 - beta2) g^2
///   p  <- p - lr / (1 - beta1^t)  m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
///
/// eps stands outside the root, beside the bias-corrected root. With AMSGrad (Reddi et al. 2018)
/// the largest v so far takes the place of v in the last line; as in PyTorch it is the largest of
/// the uncorrected v.
///
/// State: "m", "v" and, with AMSGrad, "v_max".
template <typename Scalar>
class Adam final : public Optimizer<Scalar> {
 public:
  /// Throws ValueError unless the betas are in [0, 1), weight_decay >= 0, and eps > 0 in Scalar: a
  /// number whose gradient was always zero would become 0/0.
  Adam(const ParameterStore<Scalar>& store, const AdamOptions& options);

  std::string name() const override { return options_.decoupled ? "adamw" : "adam"; }

 private:
  using Update = typename Optimizer<Scalar>::Update;
  void update(const Update& update, Index begin, Index end, double weight_decay) override;

  AdamOptions options_;
  Scalar* m_ = nullptr;
  Scalar* v_ = nullptr;
  Scalar* v_max_ = nullptr;  // only with AMSGrad
};

}  // namespace tapehead
