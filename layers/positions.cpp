#include "layers/positions.h"

#include <cmath>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/ops/add.h"
#include "autograd/ops/slice.h"
#include "base/error.h"

namespace tapehead {

template <typename Scalar>
Tensor<Scalar> sinusoidal_positions(Index n, Index width, Index first, double base) {
  Tensor<Scalar> table({n, width});
  for (Index p = 0; p < n; ++p) {
    for (Index c = 0; c < width; ++c) {
      const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(width);
      const double angle = static_cast<double>(first + p) / std::pow(base, exponent);
      table[p * width + c] = static_cast<Scalar>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return table;
}

template <typename Scalar>
SinusoidalPositions<Scalar>::SinusoidalPositions(Index expected_length, Index width)
    : table_(sinusoidal_positions<Scalar>(expected_length, width)) {}

template <typename Scalar>
Var<Scalar> SinusoidalPositions<Scalar>::forward(const Var<Scalar>& x, Index first) const {
  const Index width = table_.shape()[1];
  check_rank("sinusoidal positions", "x", x.shape(), 3);
  check_last_dim("sinusoidal positions", "x", x.shape(), width, "the width of the positions");
  const Index n = x.shape()[1];
  const bool known = first >= 0 && first + n <= table_.shape()[0];
  const Tensor<Scalar> rows = known ? table_.view(first * width, {n, width})
                                    : sinusoidal_positions<Scalar>(n, width, first);
  return add(x, x.tape().leaf(rows));
}

template <typename Scalar>
LearnedPositions<Scalar>::LearnedPositions(const Builder<Scalar>& at, Index max_length, Index width)
    : weight_(&at.embedding("weight", max_length, width)) {}

template <typename Scalar>
Var<Scalar> LearnedPositions<Scalar>::forward(const Var<Scalar>& x, Index first) const {
  check_rank("learned positions", "x", x.shape(), 3);
  const Index end = first + x.shape()[1];
  const Index table = weight_->shape()[0];
  if (first < 0 || end > table) {
    throw ShapeError(fmt::format(
        "learned positions: the sequence reaches length {}, but the table '{}' ends at {}; train "
        "on longer rows, or use positions that go on, as sinusoidal ones do",
        end, weight_->name(), table));
  }
  Var<Scalar> rows = x.tape().parameter(*weight_);
  if (first != 0 || end != table) rows = slice(rows, 0, first, end);
  return add(x, rows);
}

template <typename Scalar>
InputPositions<Scalar>::InputPositions(const Builder<Scalar>& at, PositionKind kind, Index length,
                                       Index d_model) {
  switch (kind) {
    case PositionKind::kLearned:
      positions_.template emplace<LearnedPositions<Scalar>>(at, length, d_model);
      break;
    case PositionKind::kSinusoidal:
      positions_.template emplace<SinusoidalPositions<Scalar>>(at.shapes_only() ? 0 : length,
                                                               d_model);
      break;
    case PositionKind::kFloater:
      positions_.template emplace<Floater<Scalar>>(at, d_model);
      break;
    case PositionKind::kRecurrent:
      positions_.template emplace<RecurrentPositions<Scalar>>(at, d_model);
      break;
    case PositionKind::kRope:
    case PositionKind::kRopeHalves:
    case PositionKind::kAlibi:
    case PositionKind::kHardAlibi:
    case PositionKind::kT5:
    case PositionKind::kNone:
      break;
  }
}

template <typename Scalar>
Var<Scalar> InputPositions<Scalar>::forward(const Var<Scalar>& x, Index first,
                                            Tensor<Scalar>* state) const {
  if (const auto* learned = std::get_if<LearnedPositions<Scalar>>(&positions_)) {
    return learned->forward(x, first);
  }
  if (const auto* sinusoidal = std::get_if<SinusoidalPositions<Scalar>>(&positions_)) {
    return sinusoidal->forward(x, first);
  }
  if (const auto* floater = std::get_if<Floater<Scalar>>(&positions_)) {
    return floater->forward(x, first, state);
  }
  if (const auto* recurrent = std::get_if<RecurrentPositions<Scalar>>(&positions_)) {
    return recurrent->forward(x, state);
  }
  return x;
}

Rotary rotary_of(PositionKind kind) {
  if (kind == PositionKind::kRope) return Rotary::kNeighbours;
  return kind == PositionKind::kRopeHalves ? Rotary::kHalves : Rotary::kNone;
}

std::optional<DistanceBiasKind> distance_bias_of(PositionKind kind) {
  if (kind == PositionKind::kAlibi) return DistanceBiasKind::kAlibi;
  if (kind == PositionKind::kHardAlibi) return DistanceBiasKind::kHardAlibi;
  if (kind == PositionKind::kT5) return DistanceBiasKind::kT5;
  return std::nullopt;
}

template <typename Scalar>
AttentionPositions<Scalar> attention_positions(const Builder<Scalar>& at, PositionKind kind,
                                               Index length, Index heads, bool bidirectional) {
  AttentionPositions<Scalar> positions{rotary_of(kind), length, nullptr};
  if (const auto bias = distance_bias_of(kind)) {
    positions.bias = std::make_shared<const DistanceBias<Scalar>>(at, *bias, heads, bidirectional);
  }
  return positions;
}

template Tensor<float> sinusoidal_positions(Index, Index, Index, double);
template Tensor<double> sinusoidal_positions(Index, Index, Index, double);
template class SinusoidalPositions<float>;
template class SinusoidalPositions<double>;
template class LearnedPositions<float>;
template class LearnedPositions<double>;
template class InputPositions<float>;
template class InputPositions<double>;
template AttentionPositions<float> attention_positions(const Builder<float>&, PositionKind, Index,
                                                       Index, bool);
template AttentionPositions<double> attention_positions(const Builder<double>&, PositionKind, Index,
                                                        Index, bool);

}  // namespace tapehead
