#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/types.h"

namespace tapehead {

/// What a LabelTask asks: sequences, and a label at some of their positions or at all. Tokens are
/// positions in symbols().
class Labelling {
 public:
  Labelling() = default;
  Labelling(const Labelling&) = delete;
  Labelling& operator=(const Labelling&) = delete;
  virtual ~Labelling() = default;

  virtual std::string name() const = 0;
  virtual std::vector<std::string> symbols() const = 0;
  virtual Index length() const = 0;
  /// Number of different sequences, as far as a double can tell.
  virtual double sequence_count() const = 0;
  /// The keys that make sequence_count() larger, for messages.
  virtual std::string size_keys() const = 0;
  /// How often a label is right that is guessed by one who knows which are likely but has not read
  /// the sequence.
  virtual double chance() const = 0;

  /// Draws a sequence of length() tokens and its labels, kIgnoreTarget where nothing is asked.
  virtual void draw(Random& random, std::span<TokenId> inputs,
                    std::span<TokenId> targets) const = 0;
};

}  // namespace tapehead
