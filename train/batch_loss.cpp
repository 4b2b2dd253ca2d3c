#include "train/batch_loss.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/embedding.h"
#include "autograd/ops/mse_loss.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/scale.h"
#include "base/error.h"

namespace tapehead {

namespace {

// Copies the values of the first `count` counted places at or after `place`, `width` numbers each.
template <typename T>
void copy_counted(const Batch& batch, Index place, Index count, const std::vector<T>& values,
                  Index width, T* to) {
  for (Index copied = 0; copied < count; ++place) {
    if (batch.targets[static_cast<std::size_t>(place)] == kIgnoreTarget) continue;
    std::copy_n(values.begin() + place * width, width, to + copied * width);
    ++copied;
  }
}

}  // namespace

Index counted_targets(const Batch& batch, Index first, Index rows) {
  const auto begin = batch.targets.begin() + first * batch.length;
  return rows * batch.length - std::count(begin, begin + rows * batch.length, kIgnoreTarget);
}

bool ranks_first(const float* logits, Index n, TokenId target) {
  return std::max_element(logits, logits + n) - logits == target;
}

TokenTensor token_rows(Tape<float>& tape, const std::vector<TokenId>& tokens, Index length,
                       Index first, Index rows) {
  TokenTensor result = tape.allocate<TokenId>({rows, length});
  std::copy_n(tokens.begin() + first * length, rows * length, result.data());
  return result;
}

SequenceInput<float> input_rows(Tape<float>& tape, const Batch& batch, Index first, Index rows) {
  SequenceInput<float> input;
  if (batch.feature_width > 0) {
    const Index row = batch.length * batch.feature_width;
    input.features = tape.allocate({rows, batch.length, batch.feature_width});
    std::copy_n(batch.features.begin() + first * row, rows * row, input.features.data());
  } else {
    input.tokens = token_rows(tape, batch.inputs, batch.length, first, rows);
  }
  if (batch.source_length > 0) {
    input.sources = token_rows(tape, batch.sources, batch.source_length, first, rows);
  }
  return input;
}

Var<float> predict_counted(Tape<float>& tape, const SequenceModel<float>& net, const Batch& batch,
                           Index first, Index rows, ModelTrace<float>* trace) {
  const Var<float> hidden = net.hidden(tape, input_rows(tape, batch, first, rows), {}, trace);
  const Index places = rows * batch.length, width = hidden.dim(2);
  const Index counted = counted_targets(batch, first, rows);
  const Var<float> all = reshape(hidden, {places, width});
  if (counted == places) return net.head(all);
  TokenTensor chosen = tape.allocate<TokenId>({counted});
  Index i = 0;
  for (Index place = 0; place < places; ++place) {
    const auto at = static_cast<std::size_t>(first * batch.length + place);
    if (batch.targets[at] != kIgnoreTarget) chosen[i++] = static_cast<TokenId>(place);
  }
  return net.head(embedding(all, chosen));  // the rows chosen, as if of a table
}

CountedTargets copy_counted_targets(Tape<float>& tape, const Batch& batch, Index first,
                                    Index rows) {
  CountedTargets targets;
  targets.count = counted_targets(batch, first, rows);
  const Index place = first * batch.length;
  if (batch.target_width == 0) {
    targets.tokens = tape.allocate<TokenId>({targets.count});
    copy_counted(batch, place, targets.count, batch.targets, 1, targets.tokens.data());
  } else {
    targets.numbers = tape.allocate({targets.count, batch.target_width});
    copy_counted(batch, place, targets.count, batch.real_targets, batch.target_width,
                 targets.numbers.data());
  }
  return targets;
}

Var<float> counted_loss(const Var<float>& predicted, const CountedTargets& targets,
                        double normalizer, double label_smoothing) {
  if (!targets.numbers.defined()) {
    CrossEntropyOptions options;
    options.label_smoothing = label_smoothing;
    options.normalizer = normalizer;
    return cross_entropy(predicted, targets.tokens, options);
  }
  if (label_smoothing > 0) {
    throw ValueError(fmt::format(
        "train.label_smoothing = {}, but the targets are real numbers, which have no other tokens "
        "to spread a share over; set it to 0",
        label_smoothing));
  }
  const Var<float> expected = predicted.tape().leaf(targets.numbers);
  return scale(mse_loss(predicted, expected), static_cast<double>(targets.count) / normalizer);
}

}  // namespace tapehead
