#include "base/denormals.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "base/parallel.h"

namespace tapehead {
namespace {

#if defined(__SSE__) || defined(__aarch64__)

// The square of 2^-70, a denormal float.
float denormal_square() {
  volatile float x = std::ldexp(1.0F, -70);
  return x * x;
}

std::array<float, 8> squares_on_threads(int threads) {
  std::array<float, 8> squares{};
  parallel_chunks(threads, 8, 1, [&](Index i, Index) {
    squares[static_cast<std::size_t>(i)] = denormal_square();
  });
  return squares;
}

TEST(Denormals, AreFlushedOnEveryThreadAndOnlyWhileAsked) {
  const float small = std::ldexp(1.0F, -140);
  for (const int threads : {0, 1, 2, 3}) {
    for (const float square : squares_on_threads(threads)) EXPECT_EQ(square, small);
    {
      const FlushDenormals flush;
      for (const float square : squares_on_threads(threads)) EXPECT_EQ(square, 0.0F);
    }
    for (const float square : squares_on_threads(threads)) EXPECT_EQ(square, small);
  }
}

#endif

}  // namespace
}  // namespace tapehead
