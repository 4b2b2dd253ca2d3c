#pragma once

#include <cstdint>

#include "train/config/config.h"

namespace tapehead {

/// Milliseconds of processor time that a decoder with fresh weights takes for one more token with a
/// KV cache of `context` tokens, the token itself included: on one thread, the median over the last
/// tokens before that length. Fills the cache in one pass first. `seed` draws weights and tokens.
/// Throws ValueError for a context of less than 64 tokens.
double decode_ms_per_token(const ModelConfig& model, Index context, std::uint64_t seed);

}  // namespace tapehead
