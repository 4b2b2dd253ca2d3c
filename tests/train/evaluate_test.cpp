#include "train/evaluate.h"

#include <cmath>

#include "data/hdf5_task.h"
#include "layers/transformer.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

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
  c.block.width = 8;
  c.block.hidden = 16;
  const Transformer<float> net(Builder<float>(store, 3), c);
  Tensor<float> values = store.values();
  values.fill(0.0F);  // all logits are equal: the first token wins, which is wrong
  const Evaluation both = evaluate(net, task, 1);
  EXPECT_NEAR(both.loss, std::log(3.0), 1e-6);
  EXPECT_EQ(both.accuracy, 0.0);
  const Evaluation first = evaluate(net, task, 1, 1);
  EXPECT_TRUE(std::isnan(first.loss));  // and not a perfect 0
  EXPECT_TRUE(std::isnan(first.token_accuracy));
  EXPECT_TRUE(std::isnan(first.accuracy.value()));
}

}  // namespace
}  // namespace tapehead
