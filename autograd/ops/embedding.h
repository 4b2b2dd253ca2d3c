#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Looks up the row of each token.
///
///   y_(...)j = weight_(token_(...))j
///   dweight_vj = sum over the places where token = v of dy_(...)j, in the order of the places
///
/// weight: (vocabulary, width); tokens: any shape; y: that shape + (width). Throws ValueError,
/// naming value and place, if a token is outside the vocabulary. Keeps for backward: tokens.
template <typename Scalar>
Var<Scalar> embedding(const Var<Scalar>& weight, const TokenTensor& tokens);

}  // namespace tapehead
