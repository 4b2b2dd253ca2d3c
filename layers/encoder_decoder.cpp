#include "layers/encoder_decoder.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "autograd/check.h"

namespace tapehead {

namespace {

TrunkConfig encoder_of(const EncoderDecoderConfig& config) {
  TrunkConfig c = config.trunk;
  c.causal = false;
  c.length = config.source_length;
  c.block.cross_attention = false;
  return c;
}

TrunkConfig decoder_of(const EncoderDecoderConfig& config) {
  TrunkConfig c = config.trunk;
  c.causal = true;
  c.block.cross_attention = true;
  return c;
}

// The tokens of each source before its padding. Throws ValueError for a token after it.
std::vector<Index> source_lengths(const TokenTensor& sources) {
  const Index n = sources.dim(1);
  std::vector<Index> lengths;
  for (Index b = 0; b < sources.dim(0); ++b) {
    const TokenId* begin = sources.data() + b * n;
    const TokenId* end = std::find(begin, begin + n, kPadToken);
    if (!std::all_of(end, begin + n, [](TokenId t) { return t == kPadToken; })) {
      throw ValueError(
          fmt::format("model: source {} has padding at {} and tokens after it; padding must stand "
                      "at the end",
                      b, end - begin));
    }
    lengths.push_back(end - begin);
  }
  return lengths;
}

// Padding as a token that there is; nobody sees it.
template <typename Scalar>
TokenTensor without_padding(Tape<Scalar>& tape, const TokenTensor& sources) {
  TokenTensor tokens = tape.template allocate<TokenId>(sources.shape());
  std::ranges::replace_copy(sources.values(), tokens.data(), kPadToken, TokenId{0});
  return tokens;
}

}  // namespace

template <typename Scalar>
EncoderDecoder<Scalar>::EncoderDecoder(const Builder<Scalar>& at,
                                       const EncoderDecoderConfig& config)
    : target_(at / "decoder", config, config.trunk.block.d_model),
      encoder_(at / "encoder", encoder_of(config)),
      decoder_(at / "decoder", decoder_of(config)),
      output_(at, config, config.trunk.block.d_model, target_) {
  if (config.source_vocabulary == 0) return;
  source_.emplace(at / "encoder", ModelEnds{.vocabulary = config.source_vocabulary},
                  config.trunk.block.d_model);
}

template <typename Scalar>
EncodedSource<Scalar> EncoderDecoder<Scalar>::encode(Tape<Scalar>& tape, const TokenTensor& sources,
                                                     ModelTrace<Scalar>* trace) const {
  if (!sources.defined()) {
    throw ShapeError("model: an encoder-decoder reads a source, but none was given");
  }
  check_rank("model", "sources", sources.shape(), 2);
  const InputLayer<Scalar>& input = source_ ? *source_ : target_;
  const bool padded = std::ranges::find(sources.values(), kPadToken) != sources.values().end();
  const Mask mask = padded ? Mask::key_lengths(source_lengths(sources)) : Mask::none();
  const auto x = input.forward(tape, {.tokens = padded ? without_padding(tape, sources) : sources});
  if (trace != nullptr) trace->embedded_source = x;
  ModelTrace<Scalar> own;
  const Var<Scalar> states = encoder_.forward(x, mask, trace == nullptr ? nullptr : &own);
  for (AttentionTrace<Scalar>& attention : own.attention) {
    attention.kind = AttentionKind::kSource;
    trace->attention.push_back(std::move(attention));
  }
  return {states, mask};
}

template <typename Scalar>
Var<Scalar> EncoderDecoder<Scalar>::hidden(Tape<Scalar>& tape, const SequenceInput<Scalar>& input,
                                           const Mask& mask, ModelTrace<Scalar>* trace) const {
  const EncodedSource<Scalar> source = encode(tape, input.sources, trace);
  const Var<Scalar> x = target_.forward(tape, input);
  if (trace != nullptr) trace->embedded = x;
  if (x.dim(0) != source.states.dim(0)) {
    throw ShapeError(fmt::format("model: {} sources and {} targets; each target needs its source",
                                 source.states.dim(0), x.dim(0)));
  }
  return decoder_.forward(x, mask, trace, &source);
}

template <typename Scalar>
std::unique_ptr<DecodingState<Scalar>> EncoderDecoder<Scalar>::start(
    Tape<Scalar>& tape, Index capacity, const TokenTensor& sources) const {
  const EncodedSource<Scalar> source = encode(tape, sources, nullptr);
  if (sources.dim(0) != 1 || sources.dim(1) < 1 || source.mask.may_hide_keys()) {
    throw ShapeError(
        fmt::format("model: sources of shape {}; decoding needs one, of at least one "
                    "token, without padding",
                    sources.shape().str()));
  }
  return std::make_unique<DecoderCache<Scalar>>(decoder_.make_cache(capacity, &source.states));
}

template <typename Scalar>
Var<Scalar> EncoderDecoder<Scalar>::hidden_cached(Tape<Scalar>& tape,
                                                  const SequenceInput<Scalar>& input,
                                                  DecodingState<Scalar>& state) const {
  auto& cache = own_state<DecoderCache<Scalar>>("model", state);
  return decoder_.forward_cached(target_.forward(tape, input), cache);
}

template class EncoderDecoder<float>;
template class EncoderDecoder<double>;

}  // namespace tapehead
