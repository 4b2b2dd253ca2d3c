#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/types.h"
#include "data/batch.h"

namespace tapehead {

/// Something to learn: an endless supply of training batches and a fixed held-out set.
///
/// A training batch is a pure function of (seed, step): nothing has to be remembered to resume, and
/// neither threads nor evaluation change it. No held-out example is ever drawn for training.
class Task {
 public:
  virtual ~Task() = default;

  virtual std::string name() const = 0;
  /// Number of different tokens.
  virtual Index vocabulary() const = 0;
  /// Time steps of a row.
  virtual Index length() const = 0;
  /// False for text, where the share of wholly right rows means nothing.
  virtual bool counts_sequences() const { return true; }

  /// Fills `batch` with `rows` rows for training step `step` (from 0).
  virtual void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const = 0;
  virtual Index held_out_rows() const = 0;
  /// Fills `batch` with held-out rows [first, first + rows), which must exist.
  virtual void held_out_batch(Index first, Index rows, Batch& batch) const = 0;

  /// The token as shown to people: "7", ">", a character.
  virtual std::string symbol(TokenId token) const = 0;
  /// The tokens of `text`. Throws ValueError naming every unknown symbol and its place.
  virtual std::vector<TokenId> encode(std::string_view text) const = 0;
  /// The tokens as shown to people.
  virtual std::string decode(const std::vector<TokenId>& tokens) const = 0;
};

}  // namespace tapehead
