#include "data/regression_task.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/error.h"
#include "data/exercise.h"
#include "data/rows.h"

namespace tapehead {

RegressionTask::RegressionTask(Index dimensions, Index points, double noise, Index held_out,
                               Index curriculum)
    : dimensions_(dimensions),
      points_(points),
      noise_(noise),
      held_out_(held_out),
      curriculum_(curriculum),
      symbols_({"x"}, Vocabulary::Style::kWords) {
  check_key("regression", "dimensions", dimensions, 1, kMaxDimensions);
  check_key("regression", "points", points, 1, kMaxPoints);
  check_key("regression", "held_out", held_out, kMinHeldOut, kMaxHeldOut);
  check_key("regression", "curriculum", curriculum, 0, kMaxCurriculum);
  if (!(noise >= 0 && noise <= kMaxNoise)) {
    throw ValueError(
        fmt::format("regression: noise is {}; it must be from 0 to {}", noise, kMaxNoise));
  }
}

std::optional<double> RegressionTask::chance() const {
  return static_cast<double>(dimensions_) + noise_ * noise_;
}

void RegressionTask::resize(Batch& batch, Index rows) const {
  batch.resize(rows, length());
  batch.resize_real(dimensions_, 1);
  std::ranges::fill(batch.inputs, 0);
  std::ranges::fill(batch.targets, kIgnoreTarget);
  std::ranges::fill(batch.features, 0.0F);
  std::ranges::fill(batch.real_targets, 0.0F);
}

RegressionTask::Stage RegressionTask::stage(Index step) const {
  const Index last = dimensions_ - 1;  // counted from 0
  const Index at = curriculum_ == 0 ? last : std::min(step / curriculum_, last);
  if (at == last) return {dimensions_, points_};
  return {at + 1, std::min(2 * (at + 1) + 1, points_)};
}

void RegressionTask::draw(Random& random, Stage stage, Batch& batch, Index row) const {
  std::array<double, kMaxDimensions> weights;
  const auto width = static_cast<std::size_t>(dimensions_);
  const auto used = static_cast<std::size_t>(stage.dimensions);
  for (std::size_t i = 0; i < width; ++i) weights[i] = random.normal();
  const auto features = std::span(batch.features)
                            .subspan(static_cast<std::size_t>(row * batch.length) * width,
                                     static_cast<std::size_t>(batch.length) * width);
  for (std::size_t t = 0; t < static_cast<std::size_t>(length()); t += 2) {
    double y = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const double x = random.normal();  // drawn if unused too: the others are the same then
      if (i >= used) continue;
      features[t * width + i] = static_cast<float>(x);
      y += weights[i] * x;
    }
    y += noise_ * random.normal();
    const auto at = static_cast<std::size_t>(row * batch.length) + t;
    batch.real_targets[at] = static_cast<float>(y);
    if (t / 2 < static_cast<std::size_t>(stage.points)) batch.targets[at] = 0;  // it counts
    const std::size_t shown = (t + 1) * width;
    if (shown < features.size()) features[shown] = static_cast<float>(y);
  }
}

void RegressionTask::train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const {
  check_train_rows(name(), step, rows);
  resize(batch, rows);
  for (Index row = 0; row < rows; ++row) {
    Random random = train_row_random(seed, step, row);
    draw(random, stage(step), batch, row);
  }
}

void RegressionTask::held_out_batch(Index first, Index rows, Batch& batch) const {
  check_held_out_rows(name(), first, rows, held_out_rows());
  resize(batch, rows);
  for (Index row = 0; row < rows; ++row) {
    Random random = held_out_row_random(first + row);
    draw(random, {dimensions_, points_}, batch, row);
  }
}

std::vector<TokenId> RegressionTask::encode_prompt(std::string_view text) const {
  throw ValueError(
      fmt::format("regression: there is no answer to the text '{}': this task's inputs are real "
                  "numbers; see how well it does by evaluating",
                  text));
}

}  // namespace tapehead
