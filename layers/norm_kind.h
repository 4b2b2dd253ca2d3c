#pragma once

namespace tapehead {

enum class NormKind {
  kLayer,  ///< see LayerNorm
  kRms     ///< see RmsNorm
};

/// Where a residual branch f is normalised.
enum class NormPlacement {
  kPre,  ///< x + f(norm(x)) (Xiong et al. 2020)
  kPost  ///< norm(x + f(x)) (Vaswani et al. 2017)
};

}  // namespace tapehead
