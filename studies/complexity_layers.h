#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "autograd/tape.h"
#include "layers/builder.h"

namespace tapehead {

/// A layer that maps a sequence (1, n, 64) to one of the same shape.
struct ComparedLayer {
  std::string_view name;
  bool quadratic_memory = false;  ///< so that long sequences must be left out
};

/// attention_kept: projections and causal attention of 4 heads with weights kept for the backward
/// pass; attention_tiled: the same, to the same bits, with weights computed again block by block
/// (AttentionOptions::keep_weights); rnn, lstm: one recurrent layer; conv: a causal convolution of
/// kernel size 3.
std::span<const ComparedLayer> compared_layers();

/// Forward and backward passes of one layer over one random sequence, in float32, on one thread.
class LayerPass {
 public:
  /// `layer`: the name of one of compared_layers(). `seed` draws weights and sequence. Throws
  /// ValueError if there is no such layer.
  LayerPass(std::string_view layer, Index length, std::uint64_t seed);

  /// One pass, with gradients of the weights and of the sequence.
  void run();
  /// The largest number of bytes that the tape's pool had handed out: what the pass computed and
  /// still needed, working memory included; neither weights nor their gradients.
  Index peak_bytes() const { return static_cast<Index>(tape_.pool().peak_bytes()); }

 private:
  ParameterStore<float> store_;
  std::function<Var<float>(const Var<float>&)> forward_;
  Tensor<float> x_, upstream_, gradients_;
  Tape<float> tape_;
};

}  // namespace tapehead
