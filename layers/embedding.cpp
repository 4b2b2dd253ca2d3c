#include "layers/embedding.h"

#include "autograd/ops/embedding.h"
#include "autograd/ops/linear.h"

namespace tapehead {

template <typename Scalar>
Embedding<Scalar>::Embedding(const Builder<Scalar>& at, Index vocabulary, Index width)
    : weight_(&at.embedding("weight", vocabulary, width)) {}

template <typename Scalar>
Var<Scalar> Embedding<Scalar>::forward(Tape<Scalar>& tape, const TokenTensor& tokens) const {
  const typename Tape<Scalar>::Scope scope(tape, weight_->name());
  return embedding(tape.parameter(*weight_), tokens);
}

template <typename Scalar>
Var<Scalar> Embedding<Scalar>::scores(const Var<Scalar>& x) const {
  const typename Tape<Scalar>::Scope scope(x.tape(), weight_->name());
  return linear(x, x.tape().parameter(*weight_));
}

template class Embedding<float>;
template class Embedding<double>;

}  // namespace tapehead
