#include "autograd/ops/embedding.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/check.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kTokensPerChunk = 64;
constexpr Index kColumnsPerChunk = 128;

void check_tokens(const TokenTensor& tokens, Index vocabulary) {
  for (Index i = 0; i < tokens.size(); ++i) {
    if (tokens[i] >= 0 && tokens[i] < vocabulary) continue;
    throw ValueError(
        fmt::format("embedding: token {} at {} is outside the vocabulary of {}; it must be in "
                    "[0, {})",
                    tokens[i], position_str(tokens.shape(), i), vocabulary, vocabulary));
  }
}

template <typename Scalar>
void embedding_forward(const Tensor<Scalar>& weight, const TokenTensor& tokens, Tensor<Scalar>& y,
                       int threads) {
  const Index width = weight.dim(1);
  parallel_chunks(threads, tokens.size(), kTokensPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      std::copy_n(weight.data() + tokens[i] * width, width, y.data() + i * width);
    }
  });
}

// Threads take columns, so that the rows of one token are added in order.
template <typename Scalar>
void embedding_backward(const TokenTensor& tokens, const Tensor<Scalar>& dy, Index width,
                        Scalar* dweight, int threads) {
  parallel_chunks(threads, width, kColumnsPerChunk, [&](Index begin, Index end) {
    for (Index i = 0; i < tokens.size(); ++i) {
      Scalar* __restrict row = dweight + tokens[i] * width;
      const Scalar* __restrict term = dy.data() + i * width;
      for (Index j = begin; j < end; ++j) row[j] += term[j];
    }
  });
}

}  // namespace

template <typename Scalar>
Var<Scalar> embedding(const Var<Scalar>& weight, const TokenTensor& tokens) {
  check_rank("embedding", "weight", weight.shape(), 2);
  check_tokens(tokens, weight.dim(0));
  Tape<Scalar>& tape = weight.tape();
  Tensor<Scalar> y = tape.allocate(tokens.shape().appended(weight.dim(1)));
  embedding_forward(weight.value(), tokens, y, tape.threads());
  return tape.record(
      Op::embedding, std::move(y), {weight},
      [weight, tokens](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        t.accumulate(weight, [&](Scalar* dweight) {
          embedding_backward(tokens, dy, dy.shape().row_length(), dweight, t.threads());
        });
      });
}

template Var<float> embedding(const Var<float>&, const TokenTensor&);
template Var<double> embedding(const Var<double>&, const TokenTensor&);

}  // namespace tapehead
