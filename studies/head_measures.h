#pragma once

#include <functional>
#include <vector>

#include "analysis/head_patterns.h"
#include "data/task.h"
#include "figures/figures.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// What one head did in a number of sequences: means over these, and their standard errors.
struct HeadMeasures {
  TokenId top_token = kPadToken;  ///< that gets most of the attention; kPadToken without tokens
  Estimate top_share;             ///< of all attention
  Estimate previous, duplicate, induction;  ///< see PatternShares
  Estimate first, entropy, distance;        ///< see AttentionShape
};

struct MeasuredHeads {
  std::vector<HeadMeasures> heads;  ///< of all layers, in their order
  PatternShares largest;            ///< largest_shares() of the inputs, mean over the sequences
  PatternShares largest_of_source;
};

/// Fills a batch with one row of tokens, or of real numbers.
using FillRow = std::function<void(Index row, Batch& batch)>;

/// Feeds `rows` sequences to the model and measures what its heads attend to. `symbols` and
/// `source_symbols` are the numbers of different tokens. `stop` is called before each sequence.
MeasuredHeads measure_heads(const SequenceModel<float>& net, Index symbols, Index source_symbols,
                            Index rows, const FillRow& fill, const std::function<void()>& stop);

// As a cell of a study holds it.
std::vector<double> to_numbers(const MeasuredHeads& measured);
MeasuredHeads measured_heads_from(const std::vector<double>& numbers);

/// Rows of random tokens that stand twice, as induction heads are looked for: c a b c a b. Within a
/// half no token is repeated. Inputs, and where the task has them sources, are as long as they may
/// be, up to twice 32 tokens. Row r depends on r alone.
///
/// Without meaning (false) for real numbers and where there is no room for two tokens twice.
bool can_repeat(const Task& task);
void fill_repeated(const Task& task, Index row, Batch& batch);

}  // namespace tapehead
