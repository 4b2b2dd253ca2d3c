#include "autograd/ops/embedding.h"

#include "autograd/parameter_store.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Embedding, LooksUpRows) {
  Tape<double> tape;
  const auto w = tape.leaf({{3, 2}, {1, 2, 3, 4, 5, 6}});
  testing::expect_bits_equal(embedding(w, {{2, 2}, {2, 0, 0, 1}}).value(),
                             {{2, 2, 2}, {5, 6, 1, 2, 1, 2, 3, 4}});
}

TEST(Embedding, GradientsOfARepeatedTokenAddUp) {
  Tape<double> tape;
  const auto w = tape.leaf(Tensor<double>({3, 1}), true);
  tape.backward(embedding(w, {{3}, {2, 0, 2}}), {{3, 1}, {1, 10, 100}});
  testing::expect_bits_equal(w.grad(), {{3, 1}, {10, 0, 101}});
}

TEST(Embedding, AddsToABoundGradientBufferAndToOtherUses) {
  ParameterStore<double> store;
  const auto& p = store.add("w", {2, 1}, ParameterKind::kEmbedding, [](std::span<double>) {});
  Tensor<double> gradients = store.make_buffer();
  gradients.fill(1);
  Tape<double> tape;
  tape.bind_gradients(store, gradients);
  const auto w = tape.parameter(p);
  const auto rows = embedding(embedding(w, {{2}, {1, 1}}), {{1}, {0}});
  tape.backward(rows, {{1, 1}, {5}});
  testing::expect_bits_equal(store.part(gradients, p), {{2, 1}, {1, 6}});
}

TEST(Embedding, RefusesTokensOutsideTheVocabulary) {
  Tape<double> tape;
  const auto w = tape.leaf(Tensor<double>({3, 2}));
  testing::expect_error<ValueError>(
      [&] {
        embedding(w, {{2, 2}, {0, 1, 3, 2}});
      },
      "embedding: token 3 at \\(1, 0\\) .*vocabulary of 3");
  testing::expect_error<ValueError>([&] { embedding(w, {{1}, {-1}}); }, "token -1 at \\(0\\)");
  testing::expect_error<ShapeError>(
      [&] {
        embedding(tape.leaf(Tensor<double>({3})), {{1}, {0}});
      },
      "embedding: weight .*\\(3\\).*rank 2");
}

}  // namespace
}  // namespace tapehead
