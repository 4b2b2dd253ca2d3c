#pragma once

#include <string>
#include <vector>

#include "layers/position_kind.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// What a model that knows no order must give back when the order changes, and by how much it does
/// not: the largest difference of outputs over the largest output.
struct OrderDifferences {
  double encoder_permuted = 0;  ///< encoder, any other order: outputs must move with their tokens
  double encoder_reversed = 0;  ///< encoder, back to front
  double decoder_one_layer =
      0;  ///< last output of a decoder of one layer, the earlier ones permuted
  double decoder_two_layers = 0;  ///< the same of two layers
};

/// max |y'_i - y_order(i)| / max |y|, y = net(tokens), y' = net(tokens in the order), over the
/// positions from `first` on. `tokens` (n), `order`: position i of the new row holds token
/// order(i).
template <typename Scalar>
double order_difference(const SequenceModel<Scalar>& net, const std::vector<TokenId>& tokens,
                        const std::vector<Index>& order, Index first = 0);

/// Of fresh models with these positions, the largest over `seeds` seeds.
template <typename Scalar>
OrderDifferences order_differences(PositionKind position, Index seeds);

}  // namespace tapehead
