#include "train/evaluate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "train/batch_loss.h"

namespace tapehead {

namespace {

// Rows evaluated at a time by one thread; bounds the memory, and is the unit that sums are made of.
constexpr Index kRowsPerChunk = 32;

// Counts at one position.
struct PositionTally {
  double loss = 0;
  Index tokens = 0, right_tokens = 0;

  void add(const PositionTally& other) {
    loss += other.loss;
    tokens += other.tokens;
    right_tokens += other.right_tokens;
  }
};

struct Tally {
  std::vector<PositionTally> positions;
  std::vector<PositionTally> each_row;
  Index rows = 0, right_rows = 0;
};

double log_sum_exp(const float* x, Index n) {
  const auto largest = static_cast<double>(*std::max_element(x, x + n));
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += std::exp(static_cast<double>(x[i]) - largest);
  return largest + std::log(sum);
}

// One target, `x` being the logits.
PositionTally token_tally(const float* x, Index v, TokenId target) {
  return {log_sum_exp(x, v) - static_cast<double>(x[target]), 1, ranks_first(x, v, target) ? 1 : 0};
}

double mean_squared_error(const float* x, const float* target, Index width) {
  double sum = 0;
  for (Index i = 0; i < width; ++i) {
    const double error = static_cast<double>(x[i]) - static_cast<double>(target[i]);
    sum += error * error;
  }
  return sum / static_cast<double>(width);
}

// `predicted` has a row for each counted target.
Tally tally(const Tensor<float>& predicted, const Batch& batch) {
  Tally result;
  result.positions.resize(static_cast<std::size_t>(batch.length));
  const Index width = predicted.dim(1);
  const float* x = predicted.data();
  for (Index row = 0; row < batch.rows; ++row) {
    PositionTally of_row;
    for (Index t = 0; t < batch.length; ++t) {
      const Index place = row * batch.length + t;
      const TokenId target = batch.targets[static_cast<std::size_t>(place)];
      if (target == kIgnoreTarget) continue;
      const PositionTally one =
          batch.target_width == 0
              ? token_tally(x, width, target)
              : PositionTally{
                    mean_squared_error(x, batch.real_targets.data() + place * width, width), 1, 0};
      result.positions[static_cast<std::size_t>(t)].add(one);
      of_row.add(one);
      x += width;
    }
    result.each_row.push_back(of_row);
    if (of_row.tokens == 0) continue;  // nothing was asked, so nothing was right
    result.rows += 1;
    result.right_rows += of_row.right_tokens == of_row.tokens ? 1 : 0;
  }
  return result;
}

Tally evaluate_rows(const SequenceModel<float>& net, const Task& task, Index first, Index rows) {
  Batch batch;
  task.held_out_batch(first, rows, batch);
  if (counted_targets(batch, 0, rows) == 0) {
    Tally nothing;
    nothing.each_row.resize(static_cast<std::size_t>(rows));
    return nothing;
  }
  Tape<float> tape(Tape<float>::Mode::kInference);
  return tally(predict_counted(tape, net, batch, 0, rows).value(), batch);
}

// Shares of `tokens` (0 / 0 is NaN: nothing was measured); real targets are not right or wrong.
double token_accuracy(const PositionTally& tally, bool real) {
  return real ? std::numeric_limits<double>::quiet_NaN()
              : static_cast<double>(tally.right_tokens) / static_cast<double>(tally.tokens);
}

Evaluation evaluation_of(const std::vector<Tally>& tallies, const Task& task) {
  std::vector<PositionTally> positions(static_cast<std::size_t>(task.length()));
  Index rows = 0, right_rows = 0;
  for (const Tally& tally : tallies) {
    for (std::size_t t = 0; t < tally.positions.size(); ++t) positions[t].add(tally.positions[t]);
    rows += tally.rows;
    right_rows += tally.right_rows;
  }
  Evaluation result;
  result.real = task.target_width() > 0;
  PositionTally sum;
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const PositionTally& at = positions[t];
    if (at.tokens == 0) continue;
    sum.add(at);
    result.positions.push_back({static_cast<Index>(t), at.tokens,
                                at.loss / static_cast<double>(at.tokens),
                                token_accuracy(at, result.real)});
  }
  result.loss = sum.loss / static_cast<double>(sum.tokens);
  result.token_accuracy = token_accuracy(sum, result.real);
  if (task.counts_sequences() && !result.real) {
    result.accuracy = static_cast<double>(right_rows) / static_cast<double>(rows);
  }
  return result;
}

}  // namespace

std::optional<Evaluation> evaluate_until(const std::function<bool()>& stop,
                                         const SequenceModel<float>& net, const Task& task,
                                         int threads, Index rows) {
  const Index all = task.held_out_rows();
  if (rows < 0 || all < 1) {
    throw ValueError(fmt::format("evaluate: {} of {} held-out rows", rows, all));
  }
  const FlushDenormals flush;
  const Index n = rows == 0 ? all : std::min(rows, all);
  std::vector<Tally> tallies(static_cast<std::size_t>((n + kRowsPerChunk - 1) / kRowsPerChunk));
  std::vector<std::exception_ptr> errors(tallies.size());
  std::atomic<bool> stopped = false;
  parallel_chunks(threads, n, kRowsPerChunk, [&](Index begin, Index end) {
    const auto chunk = static_cast<std::size_t>(begin / kRowsPerChunk);
    try {
      if (stopped || stop()) {
        stopped = true;
        return;
      }
      tallies[chunk] = evaluate_rows(net, task, begin, end - begin);
    } catch (...) {  // an exception must not leave a parallel region
      errors[chunk] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  if (stopped) return std::nullopt;
  return evaluation_of(tallies, task);
}

Evaluation evaluate(const SequenceModel<float>& net, const Task& task, int threads, Index rows) {
  return evaluate_until([] { return false; }, net, task, threads, rows).value();
}

std::vector<RowEvaluation> evaluate_each_row(const SequenceModel<float>& net, const Task& task,
                                             Index rows) {
  const FlushDenormals flush;
  std::vector<RowEvaluation> result;
  for (Index first = 0; first < rows; first += kRowsPerChunk) {
    for (const PositionTally& row :
         evaluate_rows(net, task, first, std::min(kRowsPerChunk, rows - first)).each_row) {
      result.push_back({row.tokens, row.loss / static_cast<double>(row.tokens),
                        token_accuracy(row, task.target_width() > 0)});
    }
  }
  return result;
}

std::string accuracy_text(const Evaluation& e) {
  if (e.real) return {};
  std::string text = fmt::format("token accuracy {:.2f} %", 100 * e.token_accuracy);
  if (e.accuracy) text += fmt::format(", whole sequences {:.2f} %", 100 * *e.accuracy);
  return text;
}

std::vector<TokenId> most_likely(const Tensor<float>& logits) {
  const Index v = logits.shape().row_length();
  std::vector<TokenId> tokens;
  for (Index row = 0; row < logits.shape().row_count(); ++row) {
    const float* x = logits.data() + row * v;
    tokens.push_back(static_cast<TokenId>(std::max_element(x, x + v) - x));
  }
  return tokens;
}

}  // namespace tapehead
