#include "train/sample.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "train/evaluate.h"
#include "train/sharded_pass.h"

namespace tapehead {

namespace {

constexpr Index kMostPositions = 40;  // of a map, so that it fits a terminal

struct HeadChoice {
  std::size_t layer = 0;
  Index head = 0;
};

// Mean entropy, in nats, of the rows of one head's weights that see more than one key.
double mean_entropy(const Tensor<float>& weights, Index head) {
  const Index queries = weights.shape()[2], keys = weights.shape()[3];
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < queries; ++i) {
    const float* p = weights.data() + (head * queries + i) * keys;
    const auto seen = std::count_if(p, p + keys, [](float w) { return w > 0.0F; });
    if (seen < 2) continue;
    for (Index j = 0; j < keys; ++j) {
      const auto w = static_cast<double>(p[j]);
      if (w > 0) sum -= w * std::log(w);
    }
    ++rows;
  }
  return rows == 0 ? std::numeric_limits<double>::infinity() : sum / static_cast<double>(rows);
}

HeadChoice most_decided(const std::vector<Tensor<float>>& maps) {
  HeadChoice best;
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t layer = 0; layer < maps.size(); ++layer) {
    for (Index head = 0; head < maps[layer].shape()[1]; ++head) {
      const double entropy = mean_entropy(maps[layer], head);
      if (entropy < lowest) {
        lowest = entropy;
        best = {layer, head};
      }
    }
  }
  return best;
}

// A weight in [0, 1] as a shade.
const char* shade(float weight) {
  constexpr const char* kShades[] = {" ", "░", "▒", "▓", "█"};
  return kShades[std::clamp(static_cast<int>(std::lround(weight * 4.0F)), 0, 4)];
}

// The first character of a token's symbol: one column of the map.
std::string column_label(const std::string& symbol) {
  std::size_t length = 1;
  while (length < symbol.size() && (static_cast<unsigned char>(symbol[length]) & 0xC0U) == 0x80U) {
    ++length;  // continuation bytes of UTF-8
  }
  return symbol.substr(0, length);
}

// The first character of each of so many tokens, or of numbers a dot.
std::vector<std::string> labels_of(const Vocabulary& symbols, const std::vector<TokenId>& tokens,
                                   bool numbers, Index count) {
  std::vector<std::string> labels;
  for (Index i = 0; i < std::min(count, kMostPositions); ++i) {
    const TokenId token = numbers ? kPadToken : tokens[static_cast<std::size_t>(i)];
    labels.push_back(token == kPadToken ? "." : column_label(symbols.symbol(token)));
  }
  return labels;
}

// The tokens as a person reads them.
std::string tokens_text(const Task& task, const Vocabulary& symbols,
                        const std::vector<TokenId>& tokens) {
  std::string result;
  for (const TokenId t : tokens) {
    if (t == kPadToken) continue;
    if (task.counts_sequences() && !result.empty()) result += ' ';
    result += symbols.symbol(t);
  }
  return result;
}

std::string input_text(const Task& task, const Batch& batch) {
  if (batch.source_length > 0) return tokens_text(task, task.source_symbols(), batch.sources);
  if (batch.feature_width == 0) return tokens_text(task, task.symbols(), batch.inputs);
  return fmt::format("{} time steps of {} numbers", batch.length, batch.feature_width);
}

void append_number(float number, std::string& text) {
  text += fmt::format("{}{:.2f}", text.empty() ? "" : " ", number);
}

// What is expected and predicted where real numbers are asked for.
void add_numbers(const Batch& batch, const Tensor<float>& predicted, Sample& sample) {
  const Index width = batch.target_width;
  Index row = 0;
  for (Index t = 0; t < batch.length; ++t) {
    if (batch.targets[static_cast<std::size_t>(t)] == kIgnoreTarget) continue;
    for (Index i = 0; i < width; ++i) {
      append_number(batch.real_targets[static_cast<std::size_t>(t * width + i)], sample.expected);
      append_number(predicted[row * width + i], sample.predicted);
    }
    ++row;
  }
}

}  // namespace

Sample make_sample(const SequenceModel<float>& net, const Task& task, Index row) {
  Batch batch;
  task.held_out_batch(row, 1, batch);
  Sample sample;
  sample.input = input_text(task, batch);
  if (counted_targets(batch, 0, 1) == 0) return sample;
  Tape<float> tape(Tape<float>::Mode::kInference);
  const Tensor<float> predicted = predict_counted(tape, net, batch, 0, 1).value();
  if (batch.target_width > 0) {
    add_numbers(batch, predicted, sample);
    return sample;
  }
  std::vector<TokenId> expected;
  std::ranges::copy_if(batch.targets, std::back_inserter(expected),
                       [](TokenId t) { return t != kIgnoreTarget; });
  sample.expected = tokens_text(task, task.symbols(), expected);
  sample.predicted = tokens_text(task, task.symbols(), most_likely(predicted));
  return sample;
}

std::string attention_map(const SequenceModel<float>& net, const Task& task, Index row) {
  Batch batch;
  task.held_out_batch(row, 1, batch);
  const bool source = batch.source_length > 0;
  Tape<float> tape(Tape<float>::Mode::kInference);
  ModelTrace<float> trace;
  net.hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
  std::vector<Tensor<float>> maps;
  for (const auto& attention : trace.attention) {
    if (attention.cross == source) maps.push_back(attention.weights.value());
  }
  if (maps.empty()) return {};
  const HeadChoice chosen = most_decided(maps);
  const Tensor<float>& weights = maps[chosen.layer];
  const Index n = weights.shape()[2], keys = weights.shape()[3];
  const bool numbers = batch.feature_width > 0;
  const auto rows = labels_of(task.symbols(), batch.inputs, numbers, n);
  const auto columns = source ? labels_of(task.source_symbols(), batch.sources, false, keys)
                              : labels_of(task.symbols(), batch.inputs, numbers, keys);
  std::string text = fmt::format(
      "attention of layer {}, head {} (rows: queries, columns: {})\n  {}", chosen.layer + 1,
      chosen.head + 1, source ? "source" : "keys", fmt::join(columns, ""));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("\n{} ", rows[i]);
    const float* row_weights = weights.data() + (chosen.head * n + static_cast<Index>(i)) * keys;
    for (std::size_t j = 0; j < columns.size(); ++j) text += shade(row_weights[j]);
  }
  return text + "\n";
}

}  // namespace tapehead
