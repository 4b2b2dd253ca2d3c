#include "studies/input_gradients.h"

#include <cmath>

#include "autograd/ops/embedding.h"
#include "autograd/ops/linear.h"
#include "studies/study_models.h"
#include "tests/support/expect.h"
#include "train/build_model.h"
#include "train/config/build_task.h"

namespace tapehead {
namespace {

using testing::expect_error;

// Reads tokens as vectors and says W x of each, nothing else: every gradient is known.
class PlainModel final : public SequenceModel<float> {
 public:
  Var<float> hidden(Tape<float>& tape, const SequenceInput<float>& input, const Mask&,
                    ModelTrace<float>* trace) const override {
    const Var<float> x =
        embedding(tape.leaf(Tensor<float>({3, 2}, {1, 0, 0, 1, 1, 1}), true), input.tokens);
    if (trace != nullptr) trace->embedded = x;
    return x;
  }
  Var<float> head(const Var<float>& x) const override {
    return linear(x, x.tape().leaf(Tensor<float>({3, 2}, {3, 4, 0, 1, 0, -1})));
  }
  bool is_causal() const override { return true; }
  std::unique_ptr<DecodingState<float>> start(Tape<float>&, Index,
                                              const TokenTensor&) const override {
    throw StateError("not needed");
  }
  Var<float> hidden_cached(Tape<float>&, const SequenceInput<float>&,
                           DecodingState<float>&) const override {
    throw StateError("not needed");
  }
};

Batch two_rows() {
  Batch batch;
  batch.resize(2, 2);
  batch.inputs = {0, 1, 1, 2};
  batch.targets = {0, kIgnoreTarget, kIgnoreTarget, 1};
  return batch;
}

// The gradient of logit v by x is row v of W, of length 5 and 1.
TEST(InputGradients, OfALogit) {
  const auto norms = input_gradient_norms(PlainModel(), two_rows(), {0, 1}, Answered::kLogit);
  EXPECT_EQ(norms, (std::vector<double>{5, 0, 0, 1}));
}

// That of the loss is W^T (p - q). Row 1 reads (1, 1): its logits are 7, 1, -1.
TEST(InputGradients, OfTheLoss) {
  const auto norms = input_gradient_norms(PlainModel(), two_rows(), {0, 1}, Answered::kLoss);
  const double sum = std::exp(7.0) + std::exp(1.0) + std::exp(-1.0);
  const double p0 = std::exp(7.0) / sum, p1 = std::exp(1.0) / sum, p2 = std::exp(-1.0) / sum;
  const double first = 3 * p0, second = 4 * p0 + (p1 - 1) - p2;
  EXPECT_NEAR(norms[3], std::hypot(first, second), 1e-5);
  EXPECT_EQ(norms[1], 0);
  EXPECT_EQ(norms[2], 0);
}

TEST(InputGradients, NeedAPlaceThatAsks) {
  expect_error<ValueError>(
      [] {
        input_gradient_norms(PlainModel(), two_rows(), {0, 0}, Answered::kLoss);
      },
      "row 1 asks for nothing at position 0");
  expect_error<ValueError>(
      [] {
        input_gradient_norms(PlainModel(), two_rows(), {0, 2}, Answered::kLoss);
      },
      "row 1 asks for nothing at position 2");
  expect_error<ValueError>(
      [] { input_gradient_norms(PlainModel(), two_rows(), {0}, Answered::kLoss); },
      "1 places for 2 rows");
  Batch silent = two_rows();
  silent.targets.assign(4, kIgnoreTarget);
  expect_error<ValueError>([&] { first_asked(silent); }, "row 0 asks for nothing");
}

TEST(InputGradients, PlacesAreThoseThatAsk) {
  Batch batch;
  batch.resize(3, 4);
  const TokenId no = kIgnoreTarget;
  batch.targets = {no, 1, no, 2, no, 1, no, 2, no, 1, no, 2};
  EXPECT_EQ(first_asked(batch), (std::vector<Index>{1, 1, 1}));
  EXPECT_EQ(asked_in_turn(batch), (std::vector<Index>{1, 3, 1}));
}

class InputGradientsOf : public ::testing::TestWithParam<ModelKind> {};

// An answer in the middle of a row depends on itself and on what came before, and on nothing later;
// that of a convolution on its field only. An encoder's depends on all.
TEST_P(InputGradientsOf, ReachAsFarAsTheModelSees) {
  const ModelTraits& traits = traits_of(GetParam());
  Config config = default_config("copy", traits.kind);
  config.task.length = 6;
  config.model.layers = 2;
  config = completed(config);
  const auto task = build_task(config);
  const ModelSizes sizes = model_sizes(*task);
  const auto model = build_model(config, sizes);
  Batch batch;
  task->train_batch(1, 0, 4, batch);
  const Index place = 9;
  for (const Answered answered : {Answered::kLoss, Answered::kLogit}) {
    const auto norms =
        input_gradient_norms(*model->net, batch, std::vector<Index>(4, place), answered);
    // Two layers of 3 taps, dilations 1 and 2: 7 positions.
    const Index first = traits.convolves ? place - 6 : 0;
    const Index last = traits.is_causal() ? place : batch.length - 1;
    for (Index row = 0; row < batch.rows; ++row) {
      for (Index t = 0; t < batch.length; ++t) {
        const double norm = norms[static_cast<std::size_t>(row * batch.length + t)];
        EXPECT_EQ(norm > 0, t >= first && t <= last) << row << " " << t;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, InputGradientsOf,
                         ::testing::Values(ModelKind::kDecoder, ModelKind::kEncoder,
                                           ModelKind::kRnn, ModelKind::kGru, ModelKind::kLstm,
                                           ModelKind::kConv),
                         [](const auto& test) { return std::string(traits_of(test.param).name); });

}  // namespace
}  // namespace tapehead
