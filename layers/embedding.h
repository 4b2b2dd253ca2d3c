#pragma once

#include "autograd/tape.h"
#include "layers/builder.h"

namespace tapehead {

/// A table of vectors, one a token.
///
/// tokens: any shape -> that shape + (width). Parameters: weight (vocabulary, width).
template <typename Scalar>
class Embedding {
 public:
  Embedding(const Builder<Scalar>& at, Index vocabulary, Index width);

  Var<Scalar> forward(Tape<Scalar>& tape, const TokenTensor& tokens) const;

  /// y = x W^T: scores of every token, by the same table (tied output; Press & Wolf 2017).
  /// x: (..., width) -> (..., vocabulary).
  Var<Scalar> scores(const Var<Scalar>& x) const;

 private:
  const Parameter<Scalar>* weight_;
};

}  // namespace tapehead
