#pragma once

#include <limits>
#include <memory>

#include "autograd/mask.h"
#include "autograd/tape.h"
#include "layers/model_trace.h"

namespace tapehead {

/// What a model reads: tokens, or real numbers in their place, and for an encoder-decoder a source
/// beside them.
template <typename Scalar>
struct SequenceInput {
  TokenTensor tokens = {};       ///< (batch, n)
  Tensor<Scalar> features = {};  ///< (batch, n, features)
  TokenTensor sources = {};      ///< (batch, n_sources); kPadToken after the end of a shorter one
};

/// What a causal model remembers of the one sequence that it is given piece by piece: keys and
/// values, recurrent states, or the last inputs of convolutions.
template <typename Scalar>
class DecodingState {
 public:
  virtual ~DecodingState() = default;
  /// Positions seen.
  virtual Index length() const = 0;
  /// Positions that may be seen.
  virtual Index capacity() const { return std::numeric_limits<Index>::max(); }
  /// Forgets the positions, but not the source.
  virtual void clear() = 0;
  /// A state that goes its own way from here.
  virtual std::unique_ptr<DecodingState> clone() const = 0;
};

/// A model that maps sequences to an output for each position: logits over a vocabulary, or real
/// numbers. Every kind is trained, evaluated, stored and generated from through this interface.
template <typename Scalar>
class SequenceModel {
 public:
  SequenceModel() = default;
  SequenceModel(const SequenceModel&) = delete;
  SequenceModel& operator=(const SequenceModel&) = delete;
  virtual ~SequenceModel() = default;

  /// What the output projection reads: (batch, n, width). `mask` is added to what the kind of model
  /// demands (padding, say). `trace`, if given, is filled; the result has the same bits. Throws
  /// ShapeError or ValueError for an input that the model cannot read, ValueError for a mask if
  /// there is no attention to mask.
  virtual Var<Scalar> hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                             const Mask& mask = {}, ModelTrace<Scalar>* trace = nullptr) const = 0;
  /// The output projection: (..., width) -> (..., vocabulary or outputs).
  virtual Var<Scalar> head(const Var<Scalar>& hidden) const = 0;

  /// head(hidden()) of tokens: (batch, n) -> (batch, n, vocabulary).
  Var<Scalar> forward(Tape<Scalar>& tape, const TokenTensor& tokens, const Mask& mask = {},
                      ModelTrace<Scalar>* trace = nullptr) const {
    return head(hidden(tape, {.tokens = tokens}, mask, trace));
  }

  /// True if no output depends on a later position, so that the model can generate.
  virtual bool is_causal() const = 0;
  /// The state before the first position, with room for `capacity` of them; `sources` (1, n) are
  /// those of an encoder-decoder. Throws ValueError unless the model is causal.
  virtual std::unique_ptr<DecodingState<Scalar>> start(Tape<Scalar>& tape, Index capacity,
                                                       const TokenTensor& sources = {}) const = 0;
  /// The hidden states (1, n, width) of an input of n positions that follow those that `state` has
  /// seen. Equal to the last n rows of hidden() on the whole sequence, but for rounding: products
  /// of few rows add up in another order than those of many. Throws ValueError unless the model is
  /// causal, ShapeError if the state has no room, StateError if it is one of another kind of model.
  virtual Var<Scalar> hidden_cached(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                                    DecodingState<Scalar>& state) const = 0;

  /// head(hidden_cached()) of tokens: (1, n) -> (1, n, vocabulary).
  Var<Scalar> forward_cached(Tape<Scalar>& tape, const TokenTensor& tokens,
                             DecodingState<Scalar>& state) const {
    return head(hidden_cached(tape, {.tokens = tokens}, state));
  }
};

}  // namespace tapehead
