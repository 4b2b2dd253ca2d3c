#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.h"
#include "layers/sequence_model.h"

namespace tapehead {

struct GenerateOptions {
  Index tokens = 200;              ///< how many to generate at most
  double temperature = 1.0;        ///< logits are divided by it; 0 takes the most likely token
  Index top_k = 0;                 ///< choose among the k most likely tokens; 0: among all
  std::optional<TokenId> stop_at;  ///< end before this token
  std::uint64_t seed = 1;
  std::vector<TokenId> source = {};  ///< that an encoder-decoder reads
};

/// Chooses the next token from its logits. Throws ValueError for a negative temperature or top_k.
TokenId choose_token(std::span<const float> logits, const GenerateOptions& options, Random& random);

/// Continues `prompt` token by token with a causal model; `on_token` sees each new token as it
/// comes. A model with attention sees the last `context` tokens, others all. Throws ValueError if
/// the prompt is empty or the model is not causal.
std::vector<TokenId> generate(const SequenceModel<float>& net, const std::vector<TokenId>& prompt,
                              Index context, const GenerateOptions& options, int threads,
                              const std::function<void(TokenId)>& on_token = {});

/// Throws ValueError unless the model can continue the prompt.
void check_generates(const SequenceModel<float>& net, const std::vector<TokenId>& prompt);

/// The state before the first token, with the source of the options if there is one.
std::unique_ptr<DecodingState<float>> start_decoding(const SequenceModel<float>& net,
                                                     Tape<float>& tape, Index context,
                                                     const GenerateOptions& options);

}  // namespace tapehead
