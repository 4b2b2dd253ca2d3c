#include "data/label_task.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "data/rows.h"

namespace tapehead {
namespace {

Index allowed_held_out(const Labelling& labelling, Index wanted) {
  return held_out_count(labelling.name(), labelling.sequence_count(), labelling.size_keys(),
                        wanted);
}

/// Row `row` of `tokens`, which has `length` tokens a row.
std::span<TokenId> row_of(std::vector<TokenId>& tokens, Index length, Index row) {
  return std::span(tokens).subspan(static_cast<std::size_t>(row * length),
                                   static_cast<std::size_t>(length));
}

}  // namespace

LabelTask::LabelTask(std::unique_ptr<const Labelling> labelling, Layout layout, Index held_out)
    : labelling_(std::move(labelling)),
      layout_(layout),
      symbols_(labelling_->symbols(), Vocabulary::Style::kWords),
      held_out_(labelling_->length(), allowed_held_out(*labelling_, held_out)) {
  hold_out(allowed_held_out(*labelling_, held_out));
}

void LabelTask::hold_out(Index held_out) {
  const auto tokens = static_cast<std::size_t>(length());
  std::vector<TokenId> inputs(tokens);
  std::vector<TokenId> targets(tokens);
  for (Index row = 0; held_out_.size() < held_out; ++row) {
    Random random = held_out_row_random(row);
    labelling_->draw(random, inputs, targets);
    if (!held_out_.add(inputs)) continue;
    held_out_targets_.insert(held_out_targets_.end(), targets.begin(), targets.end());
  }
}

void LabelTask::train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const {
  check_train_rows(name(), step, rows);
  batch.resize(rows, length());
  for (Index row = 0; row < rows; ++row) {
    Random random = train_row_random(seed, step, row);
    const auto inputs = row_of(batch.inputs, length(), row);
    do {
      labelling_->draw(random, inputs, row_of(batch.targets, length(), row));
    } while (held_out_.contains(inputs));
  }
}

void LabelTask::held_out_batch(Index first, Index rows, Batch& batch) const {
  check_held_out_rows(name(), first, rows, held_out_rows());
  batch.resize(rows, length());
  for (Index row = 0; row < rows; ++row) {
    std::ranges::copy(held_out_[first + row], row_of(batch.inputs, length(), row).begin());
  }
  std::copy_n(held_out_targets_.begin() + first * length(), rows * length(), batch.targets.begin());
}

std::vector<TokenId> LabelTask::encode_prompt(std::string_view text) const {
  std::vector<TokenId> tokens = encode(text);
  if (tokens.empty() || static_cast<Index>(tokens.size()) > length()) {
    throw ValueError(fmt::format("{}: the prompt '{}' has {} symbols; expected 1 to {}, as in '{}'",
                                 name(), text, tokens.size(), length(),
                                 symbols_.decode(held_out_[0])));
  }
  return tokens;
}

}  // namespace tapehead
