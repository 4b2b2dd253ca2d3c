#include "train/evaluate.h"

#include <array>
#include <cmath>

#include "data/hdf5_task.h"
#include "layers/transformer.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"
#include "train/batch_loss.h"
#include "train/held_out_attention.h"
#include "train/make_sample.h"

namespace tapehead {
namespace {

// Two rows are held out; only the second asks for something.
std::filesystem::path half_asked_dataset(const testing::TempDir& dir) {
  auto file = Hdf5File::create(dir / "d.h5");
  file.write_attribute("", "format", Hdf5Task::kFormat);
  file.write_attribute("", "version", Hdf5Task::kVersion);
  file.write_attribute("", "vocabulary", Index{3});
  const std::vector<TokenId> inputs = {0, 1, 2, 0};
  const std::vector<TokenId> targets = {kIgnoreTarget, kIgnoreTarget, kIgnoreTarget, 1};
  for (const char* part : {"train", "held_out"}) {
    const std::string group = part;
    file.write<TokenId>(group + "/inputs", inputs, {2, 2});
    file.write<TokenId>(group + "/targets", targets, {2, 2});
  }
  return dir / "d.h5";
}

TEST(Evaluate, RowsThatAskForNothingCountForNothing) {
  const testing::TempDir dir;
  const Hdf5Task task(half_asked_dataset(dir));
  ParameterStore<float> store;
  TransformerConfig c;
  c.vocabulary = 3;
  c.length = 2;
  c.block.d_model = 8;
  c.block.d_ff = 16;
  const Transformer<float> net(Builder<float>(store, 3), c);
  Tensor<float> values = store.values();
  values.fill(0.0F);  // all logits are equal: the first token wins, which is wrong
  const Evaluation both = evaluate(net, task, 1);
  EXPECT_NEAR(both.loss, std::log(3.0), 1e-6);
  EXPECT_EQ(both.accuracy, 0.0);
  ASSERT_EQ(both.positions.size(), 1U);  // nothing is asked at position 0
  EXPECT_EQ(both.positions[0].position, 1);
  EXPECT_EQ(both.positions[0].counted, 1);
  EXPECT_NEAR(both.positions[0].loss, std::log(3.0), 1e-6);
  EXPECT_EQ(both.positions[0].token_accuracy, 0.0);
  const Evaluation first = evaluate(net, task, 1, 1);
  EXPECT_TRUE(std::isnan(first.loss));  // and not a perfect 0
  EXPECT_TRUE(std::isnan(first.token_accuracy));
  EXPECT_TRUE(std::isnan(first.accuracy.value()));
}

// Rows of three numbers x, each of which asks for -x but for the first.
class NegateTask final : public Task {
 public:
  std::string name() const override { return "negate"; }
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return 3; }
  Layout layout() const override { return Layout::kCausal; }
  Index feature_width() const override { return 1; }
  Index target_width() const override { return 1; }
  void train_batch(std::uint64_t, Index, Index rows, Batch& batch) const override {
    fill(0, rows, batch);
  }
  Index held_out_rows() const override { return 40; }
  void held_out_batch(Index first, Index rows, Batch& batch) const override {
    fill(first, rows, batch);
  }

 private:
  static void fill(Index first, Index rows, Batch& batch) {
    batch.resize(rows, 3);
    batch.resize_real(1, 1);
    for (Index t = 0; t < rows * 3; ++t) {
      const auto i = static_cast<std::size_t>(t);
      batch.features[i] = std::sin(static_cast<float>(first * 3 + t));
      batch.real_targets[i] = -batch.features[i];
      batch.targets[i] = t % 3 == 0 ? kIgnoreTarget : 0;
    }
  }
  Vocabulary symbols_ = Vocabulary({"x"}, Vocabulary::Style::kWords);
};

TEST(Evaluate, OfRealTargetsIsTheMeanSquaredErrorWhereTheyCount) {
  const NegateTask task;
  ParameterStore<float> store;
  TransformerConfig c;
  c.features = c.outputs = 1;
  c.length = 3;
  c.block.d_model = 8;
  c.block.d_ff = 16;
  const Transformer<float> net(Builder<float>(store, 3), c);
  Batch batch;
  task.held_out_batch(0, 40, batch);
  Tape<float> tape;
  const Var<float> y = net.head(net.hidden(tape, input_rows(tape, batch, 0, 40)));
  std::array<double, 3> sums{};  // of each position
  for (Index t = 0; t < 120; ++t) {
    sums[static_cast<std::size_t>(t % 3)] +=
        std::pow(static_cast<double>(y.value()[t]) + std::sin(static_cast<float>(t)), 2);
  }
  const Evaluation e = evaluate(net, task, 2);
  EXPECT_NEAR(e.loss, (sums[1] + sums[2]) / 80, 1e-6);
  ASSERT_EQ(e.positions.size(), 2U);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(e.positions[i].position, static_cast<Index>(i) + 1);
    EXPECT_EQ(e.positions[i].counted, 40);
    EXPECT_NEAR(e.positions[i].loss, sums[i + 1] / 40, 1e-6);
  }
  EXPECT_TRUE(e.real);
  EXPECT_TRUE(std::isnan(e.token_accuracy));
  EXPECT_FALSE(e.accuracy.has_value());
  EXPECT_EQ(accuracy_text(e), "");
  const Sample sample = make_sample(net, task, 1);  // its numbers are sin(3), sin(4), sin(5)
  EXPECT_THAT(sample.input, ::testing::ElementsAre("3 time steps of 1 numbers"));
  EXPECT_THAT(sample.expected, ::testing::ElementsAre("0.76", "0.96"));
  EXPECT_FALSE(sample.wrong(0));  // a number is neither right nor wrong
  const auto maps = held_out_attention(net, task, 0, 0).maps;
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_THAT(maps[0].keys, ::testing::ElementsAre(".", ".", "."));  // numbers have no symbols
}

}  // namespace
}  // namespace tapehead
