#include "layers/transformer_block.h"

#include "autograd/ops/add.h"
#include "base/error.h"

namespace tapehead {

AttentionConfig BlockConfig::self_attention(Rotary rotary, Index length) const {
  AttentionConfig c = AttentionConfig::self_attention(d_model, heads, kv_heads, head_dim);
  c.bias = bias;
  c.scale = scale;
  c.traits = attention;
  c.rotary = rotary;
  c.length = length;
  c.dropout = dropout;
  return c;
}

template <typename Scalar>
std::optional<typename TransformerBlock<Scalar>::Cross> TransformerBlock<Scalar>::make_cross(
    const Builder<Scalar>& at, const BlockConfig& config, Index length) {
  if (!config.cross_attention) return std::nullopt;
  // Source and target have no distance, so nothing is rotated.
  return Cross{Norm<Scalar>(at / "cross_norm", config.norm_kind, config.d_model, config.bias,
                            config.norm_eps),
               MultiHeadAttention<Scalar>(at / "cross_attention",
                                          config.self_attention(Rotary::kNone, length)),
               Dropout<Scalar>(at / "cross_dropout", config.dropout)};
}

template <typename Scalar>
TransformerBlock<Scalar>::TransformerBlock(const Builder<Scalar>& at, const BlockConfig& config,
                                           const AttentionPositions<Scalar>& positions)
    : placement_(config.norm),
      norm1_(at / "norm1", config.norm_kind, config.d_model, config.bias, config.norm_eps),
      attention_(at / "attention", config.self_attention(positions.rotary, positions.length),
                 positions.bias),
      dropout1_(at / "dropout1", config.dropout),
      cross_(make_cross(at, config, positions.length)),
      norm2_(at / "norm2", config.norm_kind, config.d_model, config.bias, config.norm_eps),
      feed_forward_(at / "feed_forward", config.d_model, config.d_ff, config.activation,
                    config.bias, config.dropout),
      dropout2_(at / "dropout2", config.dropout) {}

template <typename Scalar>
template <typename F>
Var<Scalar> TransformerBlock<Scalar>::residual(const Var<Scalar>& x, const Norm<Scalar>& norm,
                                               const Dropout<Scalar>& dropout, const F& f) const {
  if (placement_ == NormPlacement::kPre) return add(x, dropout.forward(f(norm.forward(x))));
  return norm.forward(add(x, dropout.forward(f(x))));
}

template <typename Scalar>
template <typename Attend, typename Look>
Var<Scalar> TransformerBlock<Scalar>::residuals(const Var<Scalar>& x, const Attend& attend,
                                                const Look& look) const {
  Var<Scalar> h = residual(x, norm1_, dropout1_, attend);
  if (cross_) h = residual(h, cross_->norm, cross_->dropout, look);
  return residual(h, norm2_, dropout2_,
                  [this](const Var<Scalar>& z) { return feed_forward_.forward(z); });
}

namespace {

// Attention that is added to `trace`, if that is given.
template <typename Scalar>
Var<Scalar> attend_to(const MultiHeadAttention<Scalar>& attention, AttentionKind kind,
                      const Var<Scalar>& q, const Var<Scalar>& keys, const Mask& mask,
                      ModelTrace<Scalar>* trace) {
  if (trace == nullptr) return attention.forward(q, keys, keys, mask);
  AttentionTrace<Scalar>& own = trace->attention.emplace_back();
  own.kind = kind;
  return attention.forward_with_weights(q, keys, keys, mask, &own).output;
}

template <typename Source>
void check_source(bool needed, const Source* source) {
  if (needed == (source != nullptr)) return;
  throw ValueError(needed ? "block: its cross-attention needs a source, but none was given"
                          : "block: a source was given, but there is no cross-attention to it");
}

}  // namespace

template <typename Scalar>
Var<Scalar> TransformerBlock<Scalar>::forward(const Var<Scalar>& x, const Mask& mask,
                                              ModelTrace<Scalar>* trace,
                                              const EncodedSource<Scalar>* source) const {
  check_source(cross_.has_value(), source);
  return residuals(
      x,
      [&](const Var<Scalar>& z) {
        return attend_to(attention_, AttentionKind::kSelf, z, z, mask, trace);
      },
      [&](const Var<Scalar>& z) {
        return attend_to(cross_->attention, AttentionKind::kCross, z, source->states, source->mask,
                         trace);
      });
}

template <typename Scalar>
Var<Scalar> TransformerBlock<Scalar>::forward_cached(const Var<Scalar>& x, KvCache<Scalar>& cache,
                                                     const KvCache<Scalar>* source) const {
  check_source(cross_.has_value(), source);
  return residuals(
      x,
      [&](const Var<Scalar>& z) {
        attention_.append(z, z, cache);
        return attention_.attend(z, cache, Mask::causal());
      },
      [&](const Var<Scalar>& z) { return cross_->attention.attend(z, *source); });
}

template <typename Scalar>
KvCache<Scalar> TransformerBlock<Scalar>::make_source_cache(const Var<Scalar>& states) const {
  check_source(cross_.has_value(), &states);
  KvCache<Scalar> cache = cross_->attention.make_cache(states.dim(1));
  cross_->attention.append(states, states, cache);
  return cache;
}

template class TransformerBlock<float>;
template class TransformerBlock<double>;

}  // namespace tapehead
