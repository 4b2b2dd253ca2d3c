#include "data/mqar_labelling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.h"
#include "data/exercise.h"

namespace tapehead {
namespace {

constexpr TokenId kFiller = 0;
constexpr Index kMaxPairs = MqarLabelling::kMaxLength / 4;

/// Fills `drawn` with different numbers from [low, high).
void draw_different(Random& random, Index low, Index high, std::span<TokenId> drawn) {
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    // Floyd's method: of the last numbers, each comes in place of one that is there already.
    const Index last = high - static_cast<Index>(drawn.size() - i);
    const auto chosen = static_cast<TokenId>(low + random.below(last - low + 1));
    const auto before = drawn.first(i);
    const bool is_there = std::ranges::find(before, chosen) != before.end();
    drawn[i] = is_there ? static_cast<TokenId>(last) : chosen;
  }
  // Its order is not random yet.
  for (std::size_t i = drawn.size(); i > 1; --i) {
    std::swap(drawn[i - 1], drawn[static_cast<std::size_t>(random.below(static_cast<Index>(i)))]);
  }
}

}  // namespace

MqarLabelling::MqarLabelling(Index length, Index pairs, Index symbols, double power,
                             bool random_fill)
    : length_(length), pairs_(pairs), symbols_(symbols), random_fill_(random_fill) {
  check_key("mqar", "length", length, 4, kMaxLength);
  if (length % 2 != 0) {
    throw ValueError(fmt::format("mqar: length is {}; it must be even, {} or {} say", length,
                                 length - 1, length + 1));
  }
  check_key("mqar", "pairs", pairs, 1, length / 4);
  check_key("mqar", "symbols", symbols, length + 1, kMaxSymbols);
  if (!(power >= 0 && power <= kMaxPower)) {
    throw ValueError(fmt::format("mqar: power is {}; it must be from 0 to {}", power, kMaxPower));
  }
  const Index places = (length - 2 * pairs) / 2;
  for (Index i = 1; i <= places; ++i) {
    weights_.push_back(std::pow(static_cast<double>(i), power - 1));
  }
}

std::vector<std::string> MqarLabelling::symbols() const {
  std::vector<std::string> numbers;
  for (Index i = 0; i < symbols_; ++i) numbers.push_back(fmt::format("{}", i));
  return numbers;
}

double MqarLabelling::sequence_count() const {
  const auto falling = [this](Index n) {  // ways to draw `pairs` of n in order
    double ways = 1;
    for (Index i = 0; i < pairs_; ++i) ways *= static_cast<double>(n - i);
    return ways;
  };
  return falling(symbols_ / 2 - 1) * falling(symbols_ - symbols_ / 2) *
         falling(static_cast<Index>(weights_.size()));
}

void MqarLabelling::draw_places(Random& random, std::span<Index> places) const {
  double left = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  std::array<bool, kMaxLength / 2> taken{};
  for (Index& place : places) {
    double at = random.uniform() * left;
    place = -1;
    for (std::size_t i = 0; i < weights_.size() && (at >= 0 || place < 0); ++i) {
      if (taken[i]) continue;
      place = static_cast<Index>(i);  // the last free one, should rounding lead past the end
      at -= weights_[i];
    }
    taken[static_cast<std::size_t>(place)] = true;
    left -= weights_[static_cast<std::size_t>(place)];
  }
}

void MqarLabelling::draw(Random& random, std::span<TokenId> inputs,
                         std::span<TokenId> targets) const {
  const auto pairs = static_cast<std::size_t>(pairs_);
  std::array<TokenId, kMaxPairs> keys;
  std::array<TokenId, kMaxPairs> values;
  std::array<Index, kMaxPairs> places;
  draw_different(random, 1, symbols_ / 2, std::span(keys).first(pairs));
  draw_different(random, symbols_ / 2, symbols_, std::span(values).first(pairs));
  draw_places(random, std::span(places).first(pairs));
  std::ranges::fill(targets, kIgnoreTarget);
  std::ranges::fill(inputs, kFiller);
  for (std::size_t i = 0; i < pairs; ++i) {
    inputs[2 * i] = keys[i];
    inputs[2 * i + 1] = values[i];
    const std::size_t query = 2 * pairs + 2 * static_cast<std::size_t>(places[i]);
    inputs[query] = keys[i];
    targets[query] = values[i];
  }
  if (!random_fill_) return;
  for (TokenId& token : inputs) {
    if (token == kFiller) token = static_cast<TokenId>(random.below(symbols_));
  }
}

}  // namespace tapehead
