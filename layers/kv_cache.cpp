#include "layers/kv_cache.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/check.h"
#include "base/error.h"

namespace tapehead {

template <typename Scalar>
KvCache<Scalar>::KvCache(Index capacity, Index key_width, Index value_width) {
  if (capacity < 1 || key_width < 1 || value_width < 1) {
    throw ValueError(
        fmt::format("kv cache: room for {} positions of {} and {} numbers; each must be at least 1",
                    capacity, key_width, value_width));
  }
  keys_ = Tensor<Scalar>({capacity, key_width});
  values_ = Tensor<Scalar>({capacity, value_width});
}

template <typename Scalar>
void KvCache<Scalar>::append(const Var<Scalar>& k, const Var<Scalar>& v) {
  check_rank("kv cache", "k", k.shape(), 3);
  const Index n = k.dim(1), key_width = keys_.dim(1), value_width = values_.dim(1);
  check_same_shape("kv cache", "k", k.shape(), "one sequence of this cache", {1, n, key_width});
  check_same_shape("kv cache", "v", v.shape(), "one sequence of this cache", {1, n, value_width});
  if (length_ + n > keys_.dim(0)) {
    throw ShapeError(fmt::format("kv cache: {} positions after {} do not fit into its {}", n,
                                 length_, keys_.dim(0)));
  }
  std::ranges::copy(k.value().values(), keys_.data() + length_ * key_width);
  std::ranges::copy(v.value().values(), values_.data() + length_ * value_width);
  length_ += n;
}

template <typename Scalar>
typename KvCache<Scalar>::KeysAndValues KvCache<Scalar>::on(Tape<Scalar>& tape) const {
  return {.k = tape.leaf(keys_.view(0, {1, length_, keys_.dim(1)})),
          .v = tape.leaf(values_.view(0, {1, length_, values_.dim(1)}))};
}

template <typename Scalar>
KvCache<Scalar> KvCache<Scalar>::clone() const {
  KvCache copy = *this;
  copy.keys_ = keys_.clone();
  copy.values_ = values_.clone();
  return copy;
}

template <typename Scalar>
std::unique_ptr<DecodingState<Scalar>> DecoderCache<Scalar>::clone() const {
  auto copy = std::make_unique<DecoderCache>(*this);
  for (KvCache<Scalar>& block : copy->blocks) block = block.clone();
  return copy;
}

template class KvCache<float>;
template class KvCache<double>;
template struct DecoderCache<float>;
template struct DecoderCache<double>;

}  // namespace tapehead
