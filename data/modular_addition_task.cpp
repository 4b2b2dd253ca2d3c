#include "data/modular_addition_task.h"

#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "data/exercise.h"
#include "data/rows.h"

namespace tapehead {
namespace {

Vocabulary residues(Index modulus) {
  check_key("modular_addition", "modulus", modulus, 5, ModularAdditionTask::kMaxModulus);
  std::vector<std::string> symbols;
  for (Index i = 0; i < modulus; ++i) symbols.push_back(fmt::format("{}", i));
  symbols.emplace_back("=");
  return {std::move(symbols), Vocabulary::Style::kWords};
}

Index checked_train_size(double fraction, Index pairs) {
  const auto size =
      fraction > 0 && fraction < 1 ? std::llround(fraction * static_cast<double>(pairs)) : 0;
  if (size < 1 || size >= pairs) {
    throw ValueError(fmt::format(
        "modular_addition: train_fraction is {}; it must leave some of the {} pairs to train on "
        "and some to hold out: 0.3 or 0.5, say",
        fraction, pairs));
  }
  return size;
}

}  // namespace

ModularAdditionTask::ModularAdditionTask(Index modulus, double train_fraction, Layout layout)
    : modulus_(modulus),
      layout_(layout),
      symbols_(residues(modulus)),
      pairs_(static_cast<std::size_t>(modulus * modulus)),
      train_size_(checked_train_size(train_fraction, modulus * modulus)) {
  std::iota(pairs_.begin(), pairs_.end(), 0);
  Random random = held_out_row_random(0);
  for (std::size_t i = pairs_.size() - 1; i > 0; --i) {
    std::swap(pairs_[i], pairs_[static_cast<std::size_t>(random.below(static_cast<Index>(i) + 1))]);
  }
}

void ModularAdditionTask::lay_out(Batch& batch, Index row, Index pair) const {
  const auto at = static_cast<std::size_t>(row * batch.length);
  const auto a = static_cast<TokenId>(pairs_[static_cast<std::size_t>(pair)] / modulus_);
  const auto b = static_cast<TokenId>(pairs_[static_cast<std::size_t>(pair)] % modulus_);
  batch.inputs[at] = a;
  batch.inputs[at + 1] = b;
  batch.inputs[at + 2] = static_cast<TokenId>(modulus_);
  batch.targets[at] = batch.targets[at + 1] = kIgnoreTarget;
  batch.targets[at + 2] = static_cast<TokenId>((a + b) % modulus_);
}

void ModularAdditionTask::train_batch(std::uint64_t seed, Index step, Index rows,
                                      Batch& batch) const {
  check_train_rows(name(), step, rows);
  batch.resize(rows, length());
  // first + row * stride runs through all pairs, as stride and their number have no common divisor.
  Random random = train_row_random(seed, step, 0);
  const Index first = random.below(train_size_);
  Index stride = 0;
  do {
    stride = 1 + random.below(train_size_);
  } while (std::gcd(stride, train_size_) != 1);
  for (Index row = 0; row < rows; ++row) {
    lay_out(batch, row, (first + row % train_size_ * stride) % train_size_);
  }
}

Index ModularAdditionTask::held_out_rows() const {
  return static_cast<Index>(pairs_.size()) - train_size_;
}

void ModularAdditionTask::held_out_batch(Index first, Index rows, Batch& batch) const {
  check_held_out_rows(name(), first, rows, held_out_rows());
  batch.resize(rows, length());
  for (Index row = 0; row < rows; ++row) lay_out(batch, row, train_size_ + first + row);
}

std::vector<TokenId> ModularAdditionTask::encode_prompt(std::string_view text) const {
  std::vector<TokenId> tokens = encode(text);
  const auto sign = static_cast<TokenId>(modulus_);
  if (tokens.size() == 2) tokens.push_back(sign);
  if (tokens.size() != 3 || tokens[0] == sign || tokens[1] == sign || tokens[2] != sign) {
    throw ValueError(
        fmt::format("modular_addition: '{}' is no prompt; expected two numbers below {} and '=', "
                    "for example '3 4 ='",
                    text, modulus_));
  }
  return tokens;
}

}  // namespace tapehead
