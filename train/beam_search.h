#pragma once

#include "train/generate.h"

namespace tapehead {

/// Continues `prompt` by a sequence of high probability: token by token, the `beams` likeliest
/// beginnings are kept. The result is the likeliest sequence found that ended with options.stop_at,
/// which is left out; or, if none did within options.tokens, the likeliest of that length. One beam
/// is greedy decoding; as many as there are sequences find the likeliest of all.
/// options.temperature and top_k do not matter. Of equally likely ones the first is taken. Throws
/// ValueError if the prompt is empty, the model is not causal, beams is below 1, or the sequence
/// could get longer than the `context`.
std::vector<TokenId> beam_search(const SequenceModel<float>& net,
                                 const std::vector<TokenId>& prompt, Index context,
                                 const GenerateOptions& options, Index beams, int threads);

}  // namespace tapehead
