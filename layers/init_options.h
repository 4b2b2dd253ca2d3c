#pragma once

#include "base/types.h"

namespace tapehead {

/// How fresh weights are drawn.
struct InitOptions {
  enum class Scheme {
    /// PyTorch's defaults: Linear weight and bias uniform in +-1/sqrt(in), Embedding standard
    /// normal.
    kPytorch,
    /// GPT-2's: weights and embeddings normal with `std`, biases zero; projections back into the
    /// residual stream have std / sqrt(2 * residual_layers) (Radford et al. 2019, section 2.3).
    kNormal,
    /// As kPytorch, but the weights of queries and keys are sqrt(3) times as large, uniform in
    /// +-sqrt(3/in): of inputs with variance 1, which a norm gives, queries and keys have variance
    /// 1 instead of 1/3 (plus that of the bias). That is what "q . k has variance d_k" assumes
    /// (Vaswani et al. 2017, section 3.2.1, footnote).
    kUnitQueriesAndKeys
  };
  Scheme scheme = Scheme::kPytorch;
  double std = 0.02;
  Index residual_layers = 1;
};

}  // namespace tapehead
