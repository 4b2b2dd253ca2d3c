#pragma once

#include <memory>
#include <span>
#include <string>

#include "data/exercise.h"
#include "data/held_out.h"
#include "data/prompt_set.h"
#include "data/task.h"

namespace tapehead {

/// A task made of the prompts and answers of an Exercise, laid out as a Layout draws it.
///
/// Its symbols are those of the exercise and then '>' (starts the answer), '|' (ends it) and '.'
/// (a blank). A row is as long as prompt, '>' and answer; with kSourceTarget, as '>' and answer.
/// Where prompts have several lengths, the rows of shorter ones are filled up with '|' that nobody
/// asks about, and with kSourceTarget the sources with kPadToken. With min_length 2 and length 3:
///
///   input   3 1 > 3 1 | |
///   target  _ _ 3 1 | _ _
///
/// The held-out set is drawn from a stream of its own: it is the same for every seed. All its
/// prompts differ, and a training prompt that is one of them is drawn again. Where there are too
/// few prompts for `held_out` to be a tenth of them, a tenth of them is held out; of prompts of
/// several lengths, at most a tenth of each length. Where the exercise reserves prompts, all
/// held-out ones are reserved, and no reserved one is trained on.
class PromptTask : public Task {
 public:
  /// Throws ValueError unless held_out is from 10 to 1,000,000, if there are not ten times 10
  /// different prompts, if almost all or almost none of them are reserved, and for prompts of
  /// several lengths with kParallel, whose rows are whole.
  PromptTask(std::unique_ptr<const Exercise> exercise, Layout layout,
             Index held_out = kDefaultHeldOut);

  std::string name() const override { return exercise_->name(); }
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return prompt_length_ + 1 + answer_length_ - source_length(); }
  Layout layout() const override { return layout_; }
  Index source_length() const override {
    return layout_ == Layout::kSourceTarget ? prompt_length_ : 0;
  }
  std::optional<double> chance() const override { return exercise_->chance(); }

  void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const override;
  Index held_out_rows() const override { return held_out_.size(); }
  void held_out_batch(Index first, Index rows, Batch& batch) const override;

  /// "314" and "3 1 4 >" are the same prompt: '>' is appended unless it is there, and with
  /// kParallel the blanks; with kSourceTarget it is left out. Throws ValueError, with an example,
  /// if training could not have drawn it.
  std::vector<TokenId> encode_prompt(std::string_view text) const override;
  std::optional<TokenId> start_token() const override { return start_; }
  std::optional<TokenId> end_token() const override { return end_; }

  const Exercise& exercise() const { return *exercise_; }
  TokenId blank_token() const { return blank_; }

 private:
  /// The prompt's place in row `row` of `batch`.
  std::span<TokenId> prompt_of(Batch& batch, Index row) const;
  /// Completes row `row`, whose prompt is there.
  void lay_out(Batch& batch, Index row) const;
  /// Draws the length of a prompt.
  Index draw_length(Random& random) const;
  /// Draws a prompt of `length` tokens; the rest of `prompt` becomes kPadToken.
  void draw(Random& random, Index length, std::span<TokenId> prompt) const;
  void hold_out(Index held_out);
  void hold_out_reserved(Index held_out);

  std::unique_ptr<const Exercise> exercise_;
  Layout layout_;
  Vocabulary symbols_;
  Index prompt_length_;
  Index answer_length_;
  TokenId start_;
  TokenId end_;
  TokenId blank_;
  PromptSet held_out_;
};

}  // namespace tapehead
