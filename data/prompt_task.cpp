#include "data/prompt_task.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "data/rows.h"

namespace tapehead {
namespace {

constexpr char kStart = '>';
constexpr char kEnd = '|';
constexpr char kBlank = '.';

Vocabulary vocabulary_of(const Exercise& exercise) {
  std::vector<std::string> symbols = exercise.symbols();
  for (const char c : {kStart, kEnd, kBlank}) symbols.emplace_back(1, c);
  return {std::move(symbols), Vocabulary::Style::kWords};
}

// A tenth of the prompts of this length.
double most_held_out(const Exercise& exercise, Index length) {
  return std::floor(exercise.prompt_count_of(length) * kHeldOutShare);
}

Index allowed_held_out(const Exercise& exercise, Index wanted) {
  const Index allowed =
      held_out_count(exercise.name(), exercise.prompt_count(), exercise.size_keys(), wanted);
  double of_all_lengths = 0;
  for (Index n = exercise.shortest_prompt(); n <= exercise.prompt_length(); ++n) {
    of_all_lengths += most_held_out(exercise, n);
  }
  return static_cast<Index>(std::min(static_cast<double>(allowed), of_all_lengths));
}

// A prompt without what fills its place up.
std::span<const TokenId> without_padding(std::span<const TokenId> prompt) {
  return prompt.first(
      static_cast<std::size_t>(std::ranges::find(prompt, kPadToken) - prompt.begin()));
}

}  // namespace

PromptTask::PromptTask(std::unique_ptr<const Exercise> exercise, Layout layout, Index held_out)
    : exercise_(std::move(exercise)),
      layout_(layout),
      symbols_(vocabulary_of(*exercise_)),
      prompt_length_(exercise_->prompt_length()),
      answer_length_(exercise_->answer_length()),
      start_(symbols_.encode({&kStart, 1}).front()),
      end_(symbols_.encode({&kEnd, 1}).front()),
      blank_(symbols_.encode({&kBlank, 1}).front()),
      held_out_(prompt_length_, allowed_held_out(*exercise_, held_out)) {
  if (layout_ == Layout::kParallel && exercise_->shortest_prompt() < prompt_length_) {
    throw ValueError(fmt::format(
        "{}: min_length is {} and length {}, but an encoder reads and fills in whole rows, which "
        "have one length; leave min_length out, or choose another kind of model",
        name(), exercise_->shortest_prompt(), prompt_length_));
  }
  const Index count = allowed_held_out(*exercise_, held_out);
  if (exercise_->reserves()) {
    hold_out_reserved(count);
  } else {
    hold_out(count);
  }
}

void PromptTask::hold_out(Index held_out) {
  std::vector<TokenId> prompt(static_cast<std::size_t>(prompt_length_));
  const Index shortest = exercise_->shortest_prompt();
  std::vector<Index> of_length(static_cast<std::size_t>(prompt_length_ - shortest + 1));
  for (Index row = 0; held_out_.size() < held_out; ++row) {
    Random random = held_out_row_random(row);
    const Index length = draw_length(random);
    draw(random, length, prompt);
    Index& held = of_length[static_cast<std::size_t>(length - shortest)];
    if (static_cast<double>(held) >= most_held_out(*exercise_, length)) continue;
    if (held_out_.add(prompt)) ++held;
  }
}

Index PromptTask::draw_length(Random& random) const {
  const Index shortest = exercise_->shortest_prompt();
  // Prompts of one length must not cost a random number: their rows would be others than before.
  return shortest == prompt_length_ ? shortest
                                    : shortest + random.below(prompt_length_ - shortest + 1);
}

void PromptTask::draw(Random& random, Index length, std::span<TokenId> prompt) const {
  exercise_->draw(random, prompt.first(static_cast<std::size_t>(length)));
  std::ranges::fill(prompt.subspan(static_cast<std::size_t>(length)), kPadToken);
}

// Reserved prompts may be fewer than are asked for, or nearly all there are.
void PromptTask::hold_out_reserved(Index held_out) {
  constexpr Index kDrawsEach = 200;
  constexpr double kLeastTrainable = 0.01;
  const Index draws = kDrawsEach * held_out;
  std::vector<TokenId> prompt(static_cast<std::size_t>(prompt_length_));
  Index drawn = 0;
  Index reserved = 0;
  for (; drawn < draws && held_out_.size() < held_out; ++drawn) {
    Random random = held_out_row_random(drawn);
    exercise_->draw(random, prompt);
    if (!exercise_->is_reserved(prompt)) continue;
    ++reserved;
    held_out_.add(prompt);
  }
  if (held_out_.size() < kMinHeldOut ||
      static_cast<double>(drawn - reserved) < kLeastTrainable * static_cast<double>(drawn)) {
    throw ValueError(fmt::format(
        "{}: of {} prompts drawn, {} are of the kind that is held out, {} of them different; at "
        "least {} are needed to measure, and at least {} % must be left to train on: change {}",
        name(), drawn, reserved, held_out_.size(), kMinHeldOut, 100 * kLeastTrainable,
        exercise_->reserving_keys()));
  }
}

std::span<TokenId> PromptTask::prompt_of(Batch& batch, Index row) const {
  const bool apart = layout_ == Layout::kSourceTarget;
  return std::span(apart ? batch.sources : batch.inputs)
      .subspan(static_cast<std::size_t>(row * (apart ? batch.source_length : batch.length)),
               static_cast<std::size_t>(prompt_length_));
}

void PromptTask::lay_out(Batch& batch, Index row) const {
  const auto begin = static_cast<std::size_t>(row * batch.length);
  const auto inputs =
      std::span(batch.inputs).subspan(begin, static_cast<std::size_t>(batch.length));
  const auto targets =
      std::span(batch.targets).subspan(begin, static_cast<std::size_t>(batch.length));
  const auto prompt = without_padding(prompt_of(batch, row));
  const Index missing = prompt_length_ - static_cast<Index>(prompt.size());
  const auto answer_length = static_cast<std::size_t>(answer_length_ - missing);
  const std::size_t start = layout_ == Layout::kSourceTarget ? 0 : prompt.size();

  inputs[start] = start_;
  const auto answer = inputs.subspan(start + 1, answer_length);
  std::ranges::fill(inputs.subspan(start + 1 + answer_length), end_);
  std::ranges::fill(targets, kIgnoreTarget);
  if (layout_ != Layout::kParallel) {
    exercise_->solve(prompt, answer);
    std::ranges::copy(answer, targets.begin() + static_cast<std::ptrdiff_t>(start));
    targets[start + answer_length] = end_;
  } else {
    std::ranges::fill(answer, blank_);
    exercise_->solve(prompt, targets.subspan(start + 1, answer_length));
  }
}

void PromptTask::train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const {
  check_train_rows(name(), step, rows);
  batch.resize(rows, length());
  batch.resize_sources(source_length());
  for (Index row = 0; row < rows; ++row) {
    Random random = train_row_random(seed, step, row);
    const auto prompt = prompt_of(batch, row);
    const Index length = draw_length(random);
    do {
      draw(random, length, prompt);
    } while (exercise_->is_reserved(prompt) || held_out_.contains(prompt));
    lay_out(batch, row);
  }
}

void PromptTask::held_out_batch(Index first, Index rows, Batch& batch) const {
  check_held_out_rows(name(), first, rows, held_out_rows());
  batch.resize(rows, length());
  batch.resize_sources(source_length());
  for (Index row = 0; row < rows; ++row) {
    std::ranges::copy(held_out_[first + row], prompt_of(batch, row).begin());
    lay_out(batch, row);
  }
}

std::vector<TokenId> PromptTask::encode_prompt(std::string_view text) const {
  auto last = text.find_last_not_of(" \t\r\n");
  if (last != std::string_view::npos && text[last] == kStart) text = text.substr(0, last);
  auto tokens = encode(exercise_->completed(std::string(text)));
  const auto expected = [this] {
    const auto example = without_padding(held_out_[0]);
    return fmt::format("expected {}, as in training; for example '{}'", exercise_->prompt_form(),
                       symbols_.decode({example.begin(), example.end()}));
  };
  const auto count = static_cast<Index>(tokens.size());
  const Index shortest = exercise_->shortest_prompt();
  if (count < shortest || count > prompt_length_) {
    throw ValueError(
        fmt::format("{}: the prompt '{}' has {} symbols, not {}; {}", name(), text, count,
                    shortest == prompt_length_ ? fmt::format("{}", shortest)
                                               : fmt::format("{} to {}", shortest, prompt_length_),
                    expected()));
  }
  if (!exercise_->could_draw(tokens)) {
    throw ValueError(fmt::format("{}: '{}' is no prompt; {}", name(), text, expected()));
  }
  if (layout_ == Layout::kSourceTarget) return tokens;
  tokens.push_back(start_);
  if (layout_ == Layout::kParallel) tokens.resize(static_cast<std::size_t>(length()), blank_);
  return tokens;
}

}  // namespace tapehead
