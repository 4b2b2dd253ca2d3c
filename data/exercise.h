#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/types.h"

namespace tapehead {

/// What a PromptTask asks: prompts, and the one right answer to each. Tokens are positions in
/// symbols(); the task adds those that mark and pad.
class Exercise {
 public:
  Exercise() = default;
  Exercise(const Exercise&) = delete;
  Exercise& operator=(const Exercise&) = delete;
  virtual ~Exercise() = default;

  virtual std::string name() const = 0;
  /// What each token stands for; none is '>', '|' or '.'.
  virtual std::vector<std::string> symbols() const = 0;
  /// Of the longest prompt and its answer.
  virtual Index prompt_length() const = 0;
  virtual Index answer_length() const = 0;
  /// Of the shortest prompt. A prompt that is n tokens shorter than the longest has an answer that
  /// is n tokens shorter, and each length is drawn equally often.
  virtual Index shortest_prompt() const { return prompt_length(); }
  /// Number of different prompts, as far as a double can tell.
  virtual double prompt_count() const = 0;
  /// Number of those that have `length` tokens.
  virtual double prompt_count_of(Index /*length*/) const { return prompt_count(); }
  /// The keys that make prompt_count() larger, for messages: "length or symbols".
  virtual std::string size_keys() const = 0;

  /// How often a guess is wholly right, made by one who knows which answers are likely but has not
  /// read the prompt.
  virtual double chance() const = 0;

  /// Draws a prompt of as many tokens as `prompt` has.
  virtual void draw(Random& random, std::span<TokenId> prompt) const = 0;
  /// Writes the answer to a drawn prompt, which fills `answer`.
  virtual void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const = 0;

  /// Whether draw() could have drawn `prompt`, which has an allowed number of tokens of any value.
  virtual bool could_draw(std::span<const TokenId> prompt) const = 0;
  /// What a prompt is made of, for messages: "3 digits, '+', 3 digits".
  virtual std::string prompt_form() const = 0;

  /// Whether some prompts are kept for the held-out set, which then has no others.
  virtual bool reserves() const { return false; }
  /// Whether `prompt`, as drawn, is one of these.
  virtual bool is_reserved(std::span<const TokenId> /*prompt*/) const { return false; }
  /// The keys that make reserved prompts more frequent, for messages.
  virtual std::string reserving_keys() const { return ""; }

  /// A person's prompt in full: what may be left out is added, such as zeros in front of a number.
  virtual std::string completed(const std::string& text) const { return text; }
};

/// Throws ValueError "TASK: KEY is VALUE; it must be from LOW to HIGH" unless it is.
void check_key(const char* task, const char* key, Index value, Index low, Index high);

/// Each ASCII character as a symbol of its own.
std::vector<std::string> characters(std::string_view text);

}  // namespace tapehead
