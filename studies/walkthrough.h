#pragma once

#include <string>
#include <vector>

#include "autograd/tensor.h"
#include "layers/attention.h"

namespace tapehead {

/// The matrices of one head of self-attention without biases: rows x (n, d), and projections that
/// multiply them from the right, w_q and w_k (d, d_k), w_v (d, d_v).
struct WalkthroughInput {
  Tensor<double> x, w_q, w_k, w_v;
};

/// The worked example of the teaching documents, "The cat sat mat": d = d_k = d_v = 4, projections
/// of 0.1 times the first 48 standard normals of NumPy's legacy generator with seed 42.
WalkthroughInput worked_example();

/// One line of the computation.
struct WalkthroughStep {
  std::string name, formula;
  Tensor<double> value;
};

/// X, Q, K, V, the scores Q K^T, these times the scale's factor, their softmax (the weights) and
/// the output, computed by the library's ops. Throws ShapeError if the matrices do not fit,
/// ValueError if a number is not finite or the scale is a learned one.
std::vector<WalkthroughStep> walk_through(const WalkthroughInput& input,
                                          const AttentionScale& scale);

}  // namespace tapehead
