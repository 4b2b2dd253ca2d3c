#include "train/sample.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

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
  const Index n = weights.shape()[2];
  double sum = 0;
  Index rows = 0;
  for (Index i = 0; i < n; ++i) {
    const float* p = weights.data() + (head * n + i) * n;
    const auto seen = std::count_if(p, p + n, [](float w) { return w > 0.0F; });
    if (seen < 2) continue;
    for (Index j = 0; j < n; ++j) {
      const auto w = static_cast<double>(p[j]);
      if (w > 0) sum -= w * std::log(w);
    }
    ++rows;
  }
  return rows == 0 ? std::numeric_limits<double>::infinity() : sum / static_cast<double>(rows);
}

HeadChoice most_decided(const AttentionMaps<float>& maps) {
  HeadChoice best;
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t layer = 0; layer < maps.size(); ++layer) {
    for (Index head = 0; head < maps[layer].shape()[1]; ++head) {
      const double entropy = mean_entropy(maps[layer].value(), head);
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

}  // namespace

Sample make_sample(const Transformer<float>& net, const Task& task, Index row) {
  Batch batch;
  task.held_out_batch(row, 1, batch);
  Tape<float> tape(Tape<float>::Mode::kInference);
  const TokenTensor inputs = token_rows(tape, batch.inputs, batch.length, 0, 1);
  const std::vector<TokenId> predicted = most_likely(net.forward(tape, inputs).value());
  std::vector<TokenId> expected, answer;
  for (std::size_t t = 0; t < batch.targets.size(); ++t) {
    if (batch.targets[t] == kIgnoreTarget) continue;
    expected.push_back(batch.targets[t]);
    answer.push_back(predicted[t]);
  }
  const auto text = [&task](const std::vector<TokenId>& tokens) {
    std::string result;
    for (const TokenId t : tokens) {
      if (task.counts_sequences() && !result.empty()) result += ' ';
      result += task.symbol(t);
    }
    return result;
  };
  return {text(batch.inputs), text(expected), text(answer)};
}

std::string attention_map(const Transformer<float>& net, const Task& task, Index row) {
  Batch batch;
  task.held_out_batch(row, 1, batch);
  Tape<float> tape(Tape<float>::Mode::kInference);
  const TokenTensor inputs = token_rows(tape, batch.inputs, batch.length, 0, 1);
  AttentionMaps<float> maps;
  net.forward(tape, inputs, {}, &maps);
  const HeadChoice chosen = most_decided(maps);
  const Tensor<float>& weights = maps[chosen.layer].value();
  const Index n = weights.shape()[2];
  const Index shown = std::min(n, kMostPositions);
  std::string text =
      fmt::format("attention of layer {}, head {} (rows: queries, columns: keys)\n  ",
                  chosen.layer + 1, chosen.head + 1);
  for (Index j = 0; j < shown; ++j) {
    text += column_label(task.symbol(batch.inputs[static_cast<std::size_t>(j)]));
  }
  for (Index i = 0; i < shown; ++i) {
    text +=
        fmt::format("\n{} ", column_label(task.symbol(batch.inputs[static_cast<std::size_t>(i)])));
    for (Index j = 0; j < shown; ++j) text += shade(weights[(chosen.head * n + i) * n + j]);
  }
  return text + "\n";
}

}  // namespace tapehead
