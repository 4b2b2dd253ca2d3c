#pragma once

#include <string>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// An attention layer or op, forward and backward.
struct AttentionBenchResult {
  std::string job;
  Index length = 0;  ///< of the sequence (of the keys, for the documents' layers)
  double median_ms = 0, min_ms = 0;
  double gflops = 0;  ///< of the products over the pairs that the mask lets pass; 0: not counted
  int threads = 0;
  double peak_rss_mb = 0;  ///< of the process so far
};

/// Causal attention of one sequence, 8 heads of width 64, float32: the op alone.
AttentionBenchResult bench_attention(Index length, int threads, double seconds);

/// The documents' layer with the documents' sizes: batch 10, 8 heads, 2 queries and 4 keys of width
/// 128, values of width 64, d_k = d_v = 16, d_o = 8. `kv_heads`: 8 for MHA, 1 for MQA.
AttentionBenchResult bench_document_layer(Index kv_heads, int threads, double seconds);

struct DecodeBenchResult {
  Index tokens = 0;
  double median_ms = 0, min_ms = 0;  ///< of all tokens
  double tokens_per_s = 0;
  int threads = 0;
  double peak_rss_mb = 0;
};

/// Writes `tokens` tokens after a prompt of one with the nanogpt-cpu model, context 1024, and a KV
/// cache; batch 1.
DecodeBenchResult bench_decode(Index tokens, int threads, double seconds);

}  // namespace tapehead
