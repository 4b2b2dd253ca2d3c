#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "autograd/tape.h"
#include "layers/builder.h"
#include "layers/distance_bias.h"
#include "layers/floater.h"
#include "layers/position_kind.h"
#include "layers/recurrent_positions.h"

namespace tapehead {

/// Sinusoidal positions (Vaswani et al. 2017, section 3.5):
///
///   table[p, 2i] = sin(p / base^(2i/width))     table[p, 2i+1] = cos(p / base^(2i/width))
///
/// for positions first, first + 1, ..., first + n - 1, which may be any. With an odd width the last
/// column is a sine. Shape (n, width).
template <typename Scalar>
Tensor<Scalar> sinusoidal_positions(Index n, Index width, Index first = 0, double base = 10000.0);

/// Adds sinusoidal positions. x: (batch, n, width). No parameters. Works past the training length:
/// the formula holds for any position.
template <typename Scalar>
class SinusoidalPositions {
 public:
  /// Positions below `expected_length` are computed once; those beyond, when they are needed.
  SinusoidalPositions(Index expected_length, Index width);
  /// `first` is the position of x's first time step.
  Var<Scalar> forward(const Var<Scalar>& x, Index first = 0) const;

 private:
  Tensor<Scalar> table_;
};

/// Adds a learned vector for each position. x: (batch, n, width). Does not work past the training
/// length: the table ends there.
/// Parameters: weight (max_length, width).
template <typename Scalar>
class LearnedPositions {
 public:
  LearnedPositions(const Builder<Scalar>& at, Index max_length, Index width);
  /// Throws ShapeError, naming both lengths, past the end of the table.
  Var<Scalar> forward(const Var<Scalar>& x, Index first = 0) const;

 private:
  const Parameter<Scalar>* weight_;
};

/// What a model adds to its token vectors: learned, sinusoidal, FLOATER's or recurrent positions;
/// nothing for the other kinds, which act inside attention (see attention_positions())
/// or not at all.
template <typename Scalar>
class InputPositions {
 public:
  /// `length`: the longest sequence that learned positions know.
  InputPositions(const Builder<Scalar>& at, PositionKind kind, Index length, Index d_model);

  /// x: (batch, n, d_model), at positions first, first + 1, ... With `state`, a sequence can be
  /// given in pieces: what the next piece needs to know of this one is left there. An undefined
  /// tensor begins a sequence; a new one is put there each time, and never written to.
  Var<Scalar> forward(const Var<Scalar>& x, Index first = 0, Tensor<Scalar>* state = nullptr) const;

 private:
  std::variant<std::monostate, LearnedPositions<Scalar>, SinusoidalPositions<Scalar>,
               Floater<Scalar>, RecurrentPositions<Scalar>>
      positions_;
};

/// What a kind of positions means inside attention, for the blocks of one model.
template <typename Scalar>
struct AttentionPositions {
  Rotary rotary = Rotary::kNone;
  Index length = 0;                                  ///< longest sequence that is expected
  std::shared_ptr<const DistanceBias<Scalar>> bias;  ///< added to the scores; null: none
};

/// `length`: the longest sequence that is expected. `bidirectional`: for attention that is not
/// causal. Throws ValueError if the positions need more heads.
template <typename Scalar>
AttentionPositions<Scalar> attention_positions(const Builder<Scalar>& at, PositionKind kind,
                                               Index length, Index heads, bool bidirectional);
/// The bias by which a kind of positions acts on the scores; none for the kinds that do otherwise.
std::optional<DistanceBiasKind> distance_bias_of(PositionKind kind);

}  // namespace tapehead
