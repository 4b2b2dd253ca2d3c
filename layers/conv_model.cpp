#include "layers/conv_model.h"

#include <vector>

#include <fmt/format.h>

namespace tapehead {

namespace {

// Beyond any sequence of a small model; the windows of decoding still fit the memory.
constexpr Index kLongestField = Index{1} << 20;

template <typename Scalar>
struct ConvDecoding final : DecodingState<Scalar> {
  std::vector<Tensor<Scalar>> windows;  // of each block
  Index seen = 0;

  Index length() const override { return seen; }
  void clear() override {
    for (Tensor<Scalar>& window : windows) window = Tensor<Scalar>(window.shape());
    seen = 0;
  }
  // Each step puts new tensors in place of the old ones, so that a copy may share them.
  std::unique_ptr<DecodingState<Scalar>> clone() const override {
    return std::make_unique<ConvDecoding>(*this);
  }
};

}  // namespace

Index ConvModelConfig::receptive_field() const {
  Index field = 1, step = 1;
  for (Index i = 0; i < layers && field < kLongestField; ++i) {
    field += step * (block.kernel_size - 1);
    step = std::min(step * dilation, kLongestField);
  }
  return field;
}

template <typename Scalar>
ConvModel<Scalar>::ConvModel(const Builder<Scalar>& at, const ConvModelConfig& config)
    : input_(at, config, config.block.d_model), dropout_(at / "dropout", config.block.dropout) {
  if (config.layers < 1 || config.dilation < 1 || config.block.kernel_size < 1) {
    throw ValueError(
        fmt::format("conv model: {} layers of {} taps with dilation {}; each must be at least 1",
                    config.layers, config.block.kernel_size, config.dilation));
  }
  // Shapes may be those of a model with fewer or more layers.
  if (!at.shapes_only() && config.receptive_field() >= kLongestField) {
    throw ValueError(
        fmt::format("conv model: {} layers of {} taps, each {} times as far apart as those of the "
                    "layer below, see more than {} positions; choose fewer layers or a smaller "
                    "dilation",
                    config.layers, config.block.kernel_size, config.dilation, kLongestField));
  }
  ConvBlockConfig block = config.block;
  block.dilation = 1;
  for (Index i = 0; i < config.layers; ++i) {
    blocks_.emplace_back(at / "blocks" / i, block);
    block.dilation = std::min(block.dilation * config.dilation, kLongestField);
  }
  if (block.norm == NormPlacement::kPre) {
    norm_.emplace(at / "norm", block.norm_kind, block.d_model, block.bias);
  }
  output_.emplace(at, config, block.d_model, input_);
}

template <typename Scalar>
Var<Scalar> ConvModel<Scalar>::hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                                      const Mask& mask, ModelTrace<Scalar>* trace) const {
  check_no_mask("conv model", mask);
  Var<Scalar> x = input_.forward(tape, input);
  if (trace != nullptr) trace->embedded = x;
  x = dropout_.forward(x);
  for (const ConvBlock<Scalar>& block : blocks_) x = block.forward(x);
  return normalized(x);
}

template <typename Scalar>
std::unique_ptr<DecodingState<Scalar>> ConvModel<Scalar>::start(
    Tape<Scalar>& /*tape*/, Index /*capacity*/, const TokenTensor& /*sources*/) const {
  auto state = std::make_unique<ConvDecoding<Scalar>>();
  for (const ConvBlock<Scalar>& block : blocks_) state->windows.push_back(block.make_window());
  return state;
}

template <typename Scalar>
Var<Scalar> ConvModel<Scalar>::hidden_cached(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                                             DecodingState<Scalar>& state) const {
  auto& own = own_state<ConvDecoding<Scalar>>("conv model", state);
  Var<Scalar> x = dropout_.forward(input_.forward(tape, input));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    x = blocks_[i].forward_cached(x, own.windows[i]);
  }
  own.seen += x.dim(1);
  return normalized(x);
}

template class ConvModel<float>;
template class ConvModel<double>;

}  // namespace tapehead
