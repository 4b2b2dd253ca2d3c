#pragma once

namespace tapehead {

/// What follows an affine map: gelu() in both its forms, relu(), silu().
enum class Activation { kGelu, kGeluTanh, kRelu, kSilu };

}  // namespace tapehead
