#include "train/config/model_kind.h"

#include <algorithm>

#include "layers/recurrent.h"

namespace tapehead {

namespace {

constexpr ModelTraits kModelTraits[] = {
    {.kind = ModelKind::kEncoder,
     .name = "encoder",
     .meaning = "a transformer whose positions all see the whole sequence",
     .layout = Layout::kParallel,
     .attends = true},
    {.kind = ModelKind::kDecoder,
     .name = "decoder",
     .meaning = "a transformer whose positions see themselves and those before",
     .layout = Layout::kCausal,
     .attends = true},
    {.kind = ModelKind::kEncoderDecoder,
     .name = "encoder_decoder",
     .meaning = "a transformer that reads a source and writes a target",
     .layout = Layout::kSourceTarget,
     .attends = true},
    {.kind = ModelKind::kRnn,
     .name = "rnn",
     .meaning = "a recurrent network with tanh",
     .layout = Layout::kCausal,
     .cell = CellKind::kRnn},
    {.kind = ModelKind::kLstm,
     .name = "lstm",
     .meaning = "a recurrent network of long short-term memory cells",
     .layout = Layout::kCausal,
     .cell = CellKind::kLstm},
    {.kind = ModelKind::kGru,
     .name = "gru",
     .meaning = "a recurrent network of gated recurrent units",
     .layout = Layout::kCausal,
     .cell = CellKind::kGru},
    {.kind = ModelKind::kConv,
     .name = "conv",
     .meaning = "a causal convolution network",
     .layout = Layout::kCausal,
     .convolves = true},
};

constexpr bool in_order() {
  Index place = 0;
  return std::ranges::all_of(kModelTraits, [&place](const ModelTraits& traits) {
    return static_cast<Index>(traits.kind) == place++;
  });
}
static_assert(in_order());

}  // namespace

std::span<const ModelTraits> model_traits() { return kModelTraits; }

const ModelTraits& traits_of(ModelKind kind) {
  return kModelTraits[static_cast<std::size_t>(kind)];
}

}  // namespace tapehead
