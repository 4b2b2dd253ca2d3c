#include "train/make_sample.h"

#include <fmt/format.h>

#include "train/batch_loss.h"
#include "train/evaluate.h"

namespace tapehead {

namespace {

std::vector<std::string> input_symbols(const Task& task, const Batch& batch) {
  if (batch.source_length == 0 && batch.feature_width > 0) {
    return {fmt::format("{} time steps of {} numbers", batch.length, batch.feature_width)};
  }
  const bool source = batch.source_length > 0;
  const Vocabulary& symbols = source ? task.source_symbols() : task.symbols();
  std::vector<std::string> result;
  for (const TokenId t : source ? batch.sources : batch.inputs) {
    if (t != kPadToken) result.push_back(symbols.symbol(t));
  }
  return result;
}

// What is expected and predicted where real numbers are asked for.
void add_numbers(const Batch& batch, const Tensor<float>& predicted, Sample& sample) {
  const Index width = batch.target_width;
  Index row = 0;
  for (Index t = 0; t < batch.length; ++t) {
    if (batch.targets[static_cast<std::size_t>(t)] == kIgnoreTarget) continue;
    for (Index i = 0; i < width; ++i) {
      const float target = batch.real_targets[static_cast<std::size_t>(t * width + i)];
      sample.expected.push_back(fmt::format("{:.2f}", target));
      sample.predicted.push_back(fmt::format("{:.2f}", predicted[row * width + i]));
    }
    ++row;
  }
}

}  // namespace

Sample make_sample(const SequenceModel<float>& net, const Task& task, Index row) {
  Batch batch;
  task.held_out_batch(row, 1, batch);
  Sample sample;
  sample.words = task.counts_sequences();
  sample.numbers = batch.target_width > 0;
  sample.input = input_symbols(task, batch);
  if (counted_targets(batch, 0, 1) == 0) return sample;
  Tape<float> tape(Tape<float>::Mode::kInference);
  const Tensor<float> predicted = predict_counted(tape, net, batch, 0, 1).value();
  if (sample.numbers) {
    sample.words = true;
    add_numbers(batch, predicted, sample);
    return sample;
  }
  for (const TokenId t : batch.targets) {
    if (t != kIgnoreTarget) sample.expected.push_back(task.symbol(t));
  }
  for (const TokenId t : most_likely(predicted)) sample.predicted.push_back(task.symbol(t));
  return sample;
}

}  // namespace tapehead
