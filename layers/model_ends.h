#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "layers/embedding.h"
#include "layers/linear.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// What goes into a model and what comes out of it.
struct ModelEnds {
  Index vocabulary = 0;         ///< of the tokens that are read and predicted
  Index features = 0;           ///< real numbers of a time step in place of tokens; 0: tokens
  Index outputs = 0;            ///< real numbers that a position predicts; 0: logits
  bool tie_embeddings = false;  ///< the output projection is the token table
};

/// The first layer of a model.
///
/// tokens: (batch, n), or features: (batch, n, features) -> (batch, n, d_model). Parameters:
/// token.weight (vocabulary, d_model), or feature.weight (d_model, features) and feature.bias
/// (d_model).
template <typename Scalar>
class InputLayer {
 public:
  InputLayer(const Builder<Scalar>& at, const ModelEnds& ends, Index d_model);

  /// Throws ShapeError, saying what it needs, if the input is of the other kind.
  Var<Scalar> forward(Tape<Scalar>& tape, const SequenceInput<Scalar>& input) const;
  /// The token table, or null.
  const Embedding<Scalar>* table() const { return token_ ? &*token_ : nullptr; }

 private:
  std::optional<Embedding<Scalar>> token_;
  std::optional<Linear<Scalar>> feature_;
};

/// The last layer of a model: a linear map without bias, or the token table of its input.
///
/// (..., d_model) -> (..., vocabulary or outputs). Parameters: head.weight (vocabulary or outputs,
/// d_model) unless tied.
template <typename Scalar>
class OutputLayer {
 public:
  /// `input` must live as long. Throws ValueError if there is no table to be tied to.
  OutputLayer(const Builder<Scalar>& at, const ModelEnds& ends, Index d_model,
              const InputLayer<Scalar>& input);

  Var<Scalar> forward(const Var<Scalar>& x) const;

 private:
  const Embedding<Scalar>* tied_ = nullptr;
  std::optional<Linear<Scalar>> head_;
};

/// Throws ValueError if a mask that hides keys is given to `model`, which has no attention.
void check_no_mask(const char* model, const Mask& mask);

/// The state as one of the model's own kind. Throws StateError if it is another's.
template <typename State, typename Scalar>
State& own_state(const char* model, DecodingState<Scalar>& state) {
  auto* own = dynamic_cast<State*>(&state);
  if (own != nullptr) return *own;
  throw StateError(std::string(model) +
                   ": the decoding state is that of another kind of model; begin with start()");
}

}  // namespace tapehead
