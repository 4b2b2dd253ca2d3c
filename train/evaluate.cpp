#include "train/evaluate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>

#include <fmt/format.h>

#include "autograd/error.h"
#include "autograd/kernels/parallel.h"
#include "train/sharded_pass.h"

namespace tapehead {

namespace {

// Rows evaluated at a time by one thread; bounds the memory, and is the unit that sums are made of.
constexpr Index kRowsPerChunk = 32;

struct Tally {
  double loss = 0;
  Index tokens = 0, right_tokens = 0;
  Index rows = 0, right_rows = 0;
};

double log_sum_exp(const float* x, Index n) {
  const auto largest = static_cast<double>(*std::max_element(x, x + n));
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += std::exp(static_cast<double>(x[i]) - largest);
  return largest + std::log(sum);
}

Tally tally(const Tensor<float>& logits, const Batch& batch) {
  Tally result;
  const Index v = logits.shape().row_length();
  for (Index row = 0; row < batch.rows; ++row) {
    const Index asked_before = result.tokens;
    bool all_right = true;
    for (Index t = row * batch.length; t < (row + 1) * batch.length; ++t) {
      const TokenId target = batch.targets[static_cast<std::size_t>(t)];
      if (target == kIgnoreTarget) continue;
      const float* x = logits.data() + t * v;
      const bool right = std::max_element(x, x + v) - x == target;
      result.loss += log_sum_exp(x, v) - static_cast<double>(x[target]);
      result.tokens += 1;
      result.right_tokens += right ? 1 : 0;
      all_right = all_right && right;
    }
    if (result.tokens == asked_before) continue;  // nothing was asked, so nothing was right
    result.rows += 1;
    result.right_rows += all_right ? 1 : 0;
  }
  return result;
}

Evaluation evaluation_of(const std::vector<Tally>& tallies, bool counts_sequences) {
  Tally sum;
  for (const Tally& tally : tallies) {
    sum.loss += tally.loss;
    sum.tokens += tally.tokens;
    sum.right_tokens += tally.right_tokens;
    sum.rows += tally.rows;
    sum.right_rows += tally.right_rows;
  }
  const auto tokens = static_cast<double>(sum.tokens);  // 0 / 0 is NaN: nothing was measured
  Evaluation result;
  result.loss = sum.loss / tokens;
  result.token_accuracy = static_cast<double>(sum.right_tokens) / tokens;
  if (counts_sequences) {
    result.accuracy = static_cast<double>(sum.right_rows) / static_cast<double>(sum.rows);
  }
  return result;
}

}  // namespace

std::optional<Evaluation> evaluate_until(const std::function<bool()>& stop,
                                         const Transformer<float>& net, const Task& task,
                                         int threads, Index rows) {
  const Index all = task.held_out_rows();
  if (rows < 0 || all < 1) {
    throw ValueError(fmt::format("evaluate: {} of {} held-out rows", rows, all));
  }
  const kernels::FlushDenormals flush;
  const Index n = rows == 0 ? all : std::min(rows, all);
  std::vector<Tally> tallies(static_cast<std::size_t>((n + kRowsPerChunk - 1) / kRowsPerChunk));
  std::vector<std::exception_ptr> errors(tallies.size());
  std::atomic<bool> stopped = false;
  kernels::parallel_chunks(threads, n, kRowsPerChunk, [&](Index begin, Index end) {
    const auto chunk = static_cast<std::size_t>(begin / kRowsPerChunk);
    try {
      if (stopped || stop()) {
        stopped = true;
        return;
      }
      Tape<float> tape(Tape<float>::Mode::kInference);
      Batch batch;
      task.held_out_batch(begin, end - begin, batch);
      const TokenTensor inputs = token_rows(tape, batch.inputs, batch.length, 0, batch.rows);
      tallies[chunk] = tally(net.forward(tape, inputs).value(), batch);
    } catch (...) {  // an exception must not leave a parallel region
      errors[chunk] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  if (stopped) return std::nullopt;
  return evaluation_of(tallies, task.counts_sequences());
}

Evaluation evaluate(const Transformer<float>& net, const Task& task, int threads, Index rows) {
  return evaluate_until([] { return false; }, net, task, threads, rows).value();
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
