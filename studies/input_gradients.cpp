#include "studies/input_gradients.h"

#include <cmath>

#include <fmt/format.h>

#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/embedding.h"
#include "autograd/ops/reshape.h"
#include "base/error.h"
#include "train/batch_loss.h"

namespace tapehead {

namespace {

TokenId target_at(const Batch& batch, Index row, Index position) {
  return batch.targets.at(static_cast<std::size_t>(row * batch.length + position));
}

// The tokens that the rows are asked for.
TokenTensor answers_of(const Batch& batch, const std::vector<Index>& places) {
  if (static_cast<Index>(places.size()) != batch.rows) {
    throw ValueError(fmt::format("input gradients: {} places for {} rows; each row needs one",
                                 places.size(), batch.rows));
  }
  TokenTensor answers({batch.rows});
  for (Index row = 0; row < batch.rows; ++row) {
    const Index place = places[static_cast<std::size_t>(row)];
    if (place < 0 || place >= batch.length || target_at(batch, row, place) == kIgnoreTarget) {
      throw ValueError(fmt::format(
          "input gradients: row {} asks for nothing at position {}; choose one that it asks at",
          row, place));
    }
    answers[row] = target_at(batch, row, place);
  }
  return answers;
}

// 1 at each row's answer: sum(upstream * logits) is the sum of the answers' logits.
Tensor<float> one_hot(const TokenTensor& answers, Index vocabulary) {
  Tensor<float> result({answers.size(), vocabulary});
  for (Index row = 0; row < answers.size(); ++row) result[row * vocabulary + answers[row]] = 1;
  return result;
}

std::vector<double> row_norms(const Tensor<float>& x) {
  const Index width = x.shape().row_length();
  std::vector<double> norms;
  for (Index i = 0; i < x.shape().row_count(); ++i) {
    double squares = 0;
    for (const float value :
         x.values().subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width))) {
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
    norms.push_back(std::sqrt(squares));
  }
  return norms;
}

}  // namespace

std::vector<double> input_gradient_norms(const SequenceModel<float>& net, const Batch& batch,
                                         const std::vector<Index>& places, Answered answered) {
  const TokenTensor answers = answers_of(batch, places);
  TokenTensor chosen({batch.rows});
  for (Index row = 0; row < batch.rows; ++row) {
    chosen[row] = static_cast<TokenId>(row * batch.length + places[static_cast<std::size_t>(row)]);
  }
  Tape<float> tape;
  ModelTrace<float> trace;
  const Var<float> hidden = net.hidden(tape, input_rows(tape, batch, 0, batch.rows), {}, &trace);
  tape.keep_grad(trace.embedded);
  const Var<float> all = reshape(hidden, {batch.rows * batch.length, hidden.dim(2)});
  const Var<float> logits = net.head(embedding(all, chosen));  // (rows, vocabulary)
  if (answered == Answered::kLogit) {
    tape.backward(logits, one_hot(answers, logits.dim(1)));
  } else {
    CrossEntropyOptions sum_of_rows;
    sum_of_rows.normalizer = 1;
    tape.backward(cross_entropy(logits, answers, sum_of_rows));
  }
  return row_norms(trace.embedded.grad());
}

namespace {

// Of row `row`, the positions that ask for something.
std::vector<Index> asked_positions(const Batch& batch, Index row) {
  std::vector<Index> asked;
  for (Index t = 0; t < batch.length; ++t) {
    if (target_at(batch, row, t) != kIgnoreTarget) asked.push_back(t);
  }
  if (asked.empty()) {
    throw ValueError(fmt::format("input gradients: row {} asks for nothing", row));
  }
  return asked;
}

}  // namespace

std::vector<Index> first_asked(const Batch& batch) {
  std::vector<Index> places;
  for (Index row = 0; row < batch.rows; ++row) {
    places.push_back(asked_positions(batch, row).front());
  }
  return places;
}

std::vector<Index> asked_in_turn(const Batch& batch) {
  std::vector<Index> places;
  for (Index row = 0; row < batch.rows; ++row) {
    const std::vector<Index> asked = asked_positions(batch, row);
    places.push_back(asked[static_cast<std::size_t>(row) % asked.size()]);
  }
  return places;
}

}  // namespace tapehead
