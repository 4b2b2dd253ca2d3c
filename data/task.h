#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "data/batch.h"
#include "data/vocabulary.h"

namespace tapehead {

/// Something to learn: an endless supply of training batches and a fixed held-out set.
///
/// A training batch is a pure function of (seed, step), and its row r does not depend on how many
/// rows are drawn: nothing has to be remembered to resume, and neither threads nor evaluation
/// change it. No held-out example is ever drawn for training. Const calls may run side by side.
class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  virtual std::string name() const = 0;
  virtual const Vocabulary& symbols() const = 0;
  /// Number of different tokens.
  Index vocabulary() const { return symbols().size(); }
  /// Time steps of a row.
  virtual Index length() const = 0;
  virtual Layout layout() const = 0;
  /// The symbols of the sources, for an encoder-decoder; by default those of the targets, and then
  /// both share one table of vectors.
  virtual const Vocabulary& source_symbols() const { return symbols(); }
  /// Tokens of a source; 0 where there is none.
  virtual Index source_length() const { return 0; }
  /// Numbers of one time step of the input; 0 where it is tokens.
  virtual Index feature_width() const { return 0; }
  /// Numbers that each position predicts; 0 where it predicts tokens.
  virtual Index target_width() const { return 0; }
  /// False for text, where the share of wholly right rows means nothing.
  virtual bool counts_sequences() const { return true; }

  /// What guessing reaches, in the task's measure of success (see TaskInfo), where it is known.
  virtual std::optional<double> chance() const { return std::nullopt; }

  /// Fills `batch` with `rows` rows for training step `step` (from 0). Throws ValueError unless
  /// both are in range.
  virtual void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const = 0;
  virtual Index held_out_rows() const = 0;
  /// Fills `batch` with held-out rows [first, first + rows). Throws ValueError unless they exist.
  virtual void held_out_batch(Index first, Index rows, Batch& batch) const = 0;

  /// The token as shown to people: "7", ">", a character.
  std::string symbol(TokenId token) const { return symbols().symbol(token); }
  /// The tokens of `text`. Throws ValueError naming every unknown symbol and its place.
  std::vector<TokenId> encode(std::string_view text) const { return symbols().encode(text); }
  /// The text of the tokens.
  std::string decode(const std::vector<TokenId>& tokens) const { return symbols().decode(tokens); }

  /// What a model is given to answer a person's `text`. With Layout::kCausal the answer is
  /// generated after these tokens; with kParallel they are a whole row, and the answer replaces its
  /// blanks; with kSourceTarget they are the source.
  virtual std::vector<TokenId> encode_prompt(std::string_view text) const { return encode(text); }
  /// With kSourceTarget, the token that the decoder is given first.
  virtual std::optional<TokenId> start_token() const { return std::nullopt; }
  /// True if an answer is no text of its own but a label for each symbol of the prompt.
  virtual bool labels_prompts() const { return false; }
  /// The token that ends an answer, where there is one.
  virtual std::optional<TokenId> end_token() const { return std::nullopt; }
};

}  // namespace tapehead
