#include "layers/model_ends.h"

#include <fmt/format.h>

#include "autograd/check.h"

namespace tapehead {

template <typename Scalar>
InputLayer<Scalar>::InputLayer(const Builder<Scalar>& at, const ModelEnds& ends, Index d_model) {
  if (ends.features > 0) {
    feature_.emplace(at / "feature", ends.features, d_model);
  } else {
    token_.emplace(at / "token", ends.vocabulary, d_model);
  }
}

template <typename Scalar>
Var<Scalar> InputLayer<Scalar>::forward(Tape<Scalar>& tape,
                                        const SequenceInput<Scalar>& input) const {
  if (token_) {
    if (!input.tokens.defined()) throw ShapeError("model: it reads tokens, but none were given");
    check_rank("model", "tokens", input.tokens.shape(), 2);
    return token_->forward(tape, input.tokens);
  }
  if (!input.features.defined()) {
    throw ShapeError("model: it reads real numbers, but no features were given");
  }
  check_rank("model", "features", input.features.shape(), 3);
  return feature_->forward(tape.leaf(input.features));
}

template <typename Scalar>
OutputLayer<Scalar>::OutputLayer(const Builder<Scalar>& at, const ModelEnds& ends, Index d_model,
                                 const InputLayer<Scalar>& input) {
  if (!ends.tie_embeddings) {
    head_.emplace(at / "head", d_model, ends.outputs > 0 ? ends.outputs : ends.vocabulary, false);
    return;
  }
  tied_ = input.table();
  if (tied_ == nullptr || ends.outputs > 0) {
    throw ValueError(
        fmt::format("model: {} features and {} real outputs; tied embeddings need tokens at both "
                    "ends",
                    ends.features, ends.outputs));
  }
}

template <typename Scalar>
Var<Scalar> OutputLayer<Scalar>::forward(const Var<Scalar>& x) const {
  return head_ ? head_->forward(x) : tied_->scores(x);
}

void check_no_mask(const char* model, const Mask& mask) {
  if (!mask.may_hide_keys()) return;
  throw ValueError(fmt::format(
      "{}: a mask was given, but there is no attention to mask; leave padding at the end, where a "
      "causal model does not see it",
      model));
}

template class InputLayer<float>;
template class InputLayer<double>;
template class OutputLayer<float>;
template class OutputLayer<double>;

}  // namespace tapehead
