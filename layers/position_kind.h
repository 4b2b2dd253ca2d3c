#pragma once

#include "layers/attention_config.h"

namespace tapehead {

/// How a model is told positions.
enum class PositionKind {
  kLearned,
  kSinusoidal,
  kFloater,     ///< see Floater
  kRecurrent,   ///< see RecurrentPositions
  kRope,        ///< rotary, neighbouring pairs: see rope()
  kRopeHalves,  ///< rotary, pairs from the halves
  kAlibi,       ///< this and the next two: see DistanceBias
  kHardAlibi,
  kT5,
  kNone  ///< only a causal mask tells an order
};

/// How attention rotates queries and keys for a kind of positions.
Rotary rotary_of(PositionKind kind);

}  // namespace tapehead
