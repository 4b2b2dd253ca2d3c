#pragma once

#include <deque>
#include <memory>

#include "autograd/tape.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// The keys and values that one attention layer has computed for the tokens of a sequence so far: a
/// decoder that writes token by token computes those of the new token only. With few kv heads
/// (multi-query, grouped-query) it holds only theirs.
template <typename Scalar>
class KvCache {
 public:
  /// Room for `capacity` positions. Throws ValueError if a size is below 1.
  KvCache(Index capacity, Index key_width, Index value_width);

  struct KeysAndValues {
    Var<Scalar> k, v;
  };
  /// Appends the rows of k (1, n, key_width) and v (1, n, value_width). Throws ShapeError, naming
  /// the lengths, if they do not fit.
  void append(const Var<Scalar>& k, const Var<Scalar>& v);
  /// All so far, as constants (1, length, width) on the tape that share the cache's memory.
  KeysAndValues on(Tape<Scalar>& tape) const;

  Index length() const { return length_; }
  Index capacity() const { return keys_.dim(0); }
  void clear() { length_ = 0; }
  /// A cache with memory of its own that holds the same.
  KvCache clone() const;

 private:
  Tensor<Scalar> keys_, values_;  // (capacity, width)
  Index length_ = 0;
};

/// The caches of a decoder's blocks, first block first, and what its positions go on from.
template <typename Scalar>
struct DecoderCache final : DecodingState<Scalar> {
  std::deque<KvCache<Scalar>> blocks;
  /// Of the attention to a source: filled once, and the same for every clone.
  std::deque<KvCache<Scalar>> sources;
  /// See InputPositions; replaced by each pass, never written to.
  Tensor<Scalar> position_state;

  /// Positions that the cache holds.
  Index length() const override { return blocks.front().length(); }
  Index capacity() const override { return blocks.front().capacity(); }
  void clear() override {
    for (KvCache<Scalar>& block : blocks) block.clear();
    position_state = {};
  }
  std::unique_ptr<DecodingState<Scalar>> clone() const override;
};

}  // namespace tapehead
