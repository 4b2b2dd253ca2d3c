#include "layers/transformer.h"

namespace tapehead {

template <typename Scalar>
Transformer<Scalar>::Transformer(const Builder<Scalar>& at, const TransformerConfig& config)
    : config_(config),
      input_(at, config, config.block.d_model),
      trunk_(at, config),
      output_(at, config, config.block.d_model, input_) {}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                                        const Mask& mask, ModelTrace<Scalar>* trace) const {
  const Var<Scalar> x = input_.forward(tape, input);
  if (trace != nullptr) trace->embedded = x;
  return trunk_.forward(x, mask, trace);
}

template <typename Scalar>
std::unique_ptr<DecodingState<Scalar>> Transformer<Scalar>::start(
    Tape<Scalar>& /*tape*/, Index capacity, const TokenTensor& /*sources*/) const {
  return std::make_unique<DecoderCache<Scalar>>(trunk_.make_cache(capacity));
}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::hidden_cached(Tape<Scalar>& tape,
                                               const SequenceInput<Scalar>& input,
                                               DecodingState<Scalar>& state) const {
  auto& cache = own_state<DecoderCache<Scalar>>("model", state);
  return trunk_.forward_cached(input_.forward(tape, input), cache);
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace tapehead
