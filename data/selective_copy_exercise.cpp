#include "data/selective_copy_exercise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/sequence_exercise.h"

namespace tapehead {

SelectiveCopyExercise::SelectiveCopyExercise(Index length, Index items, Index symbols)
    : length_(length), items_(items), symbols_(symbols) {
  check_key("selective_copy", "length", length, 1, kMaxLength);
  check_key("selective_copy", "items", items, 1, length);
  check_key("selective_copy", "symbols", symbols, 2, kAlphabetSize);
}

std::vector<std::string> SelectiveCopyExercise::symbols() const {
  return characters(std::string(kAlphabet, static_cast<std::size_t>(symbols_)) + '-');
}

double SelectiveCopyExercise::chance() const {
  return std::pow(static_cast<double>(symbols_), -static_cast<double>(items_));
}

double SelectiveCopyExercise::prompt_count() const {
  double places = 1;  // ways to choose them
  for (Index i = 0; i < items_; ++i) {
    places *= static_cast<double>(length_ - i) / static_cast<double>(i + 1);
  }
  return places / chance();
}

void SelectiveCopyExercise::draw(Random& random, std::span<TokenId> prompt) const {
  Index left = items_;
  for (Index i = 0; i < length_; ++i) {  // each choice of places is equally likely
    const bool is_item = random.below(length_ - i) < left;
    prompt[static_cast<std::size_t>(i)] =
        is_item ? static_cast<TokenId>(random.below(symbols_)) : noise();
    if (is_item) --left;
  }
}

bool SelectiveCopyExercise::could_draw(std::span<const TokenId> prompt) const {
  return std::ranges::all_of(prompt, [this](TokenId token) { return token <= noise(); }) &&
         std::ranges::count(prompt, noise()) == length_ - items_;
}

std::string SelectiveCopyExercise::prompt_form() const {
  return fmt::format("{} of the symbols {} among {} times '-'", items_,
                     std::string_view(kAlphabet, static_cast<std::size_t>(symbols_)),
                     length_ - items_);
}

void SelectiveCopyExercise::solve(std::span<const TokenId> prompt,
                                  std::span<TokenId> answer) const {
  std::ranges::copy_if(prompt, answer.begin(), [this](TokenId token) { return token != noise(); });
}

}  // namespace tapehead
