#include "studies/head_ablation.h"

#include "autograd/ops/sigma_reparam.h"
#include "tests/support/expect.h"
#include "tests/support/tiny_run.h"
#include "train/config/build_task.h"
#include "train/evaluate.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::tiny_run;

constexpr const char* kLayer = "blocks.0.attention";
constexpr Index kHeads = 2, kHeadWidth = 8;  // of tiny_run()

struct Fresh {
  Config config;
  std::unique_ptr<Task> task;
  std::unique_ptr<Model> model;

  explicit Fresh(const std::vector<Setting>& settings = {})
      : config(tiny_run(settings)),
        task(build_task(config)),
        model(build_model(config, model_sizes(*task))) {}

  Tensor<float> logits() const {
    Tape<float> tape(Tape<float>::Mode::kInference);
    return model->net->forward(tape, {{1, 5}, {0, 1, 2, 3, 4}}).value().clone();
  }
  Tensor<float> parameter(const std::string& name) const {
    return model->store.find(std::string(kLayer) + "." + name).value();
  }
};

TEST(AblateHead, EqualsValuesOfZero) {
  // The head contributes W_O's columns times its mixed values: the one zero is as good as the
  // other.
  const Fresh columns, values;
  ablate_head(columns.model->store, kLayer, 1, kHeads);
  Tensor<float> weight = values.parameter("fc_v.weight"), bias = values.parameter("fc_v.bias");
  for (Index row = kHeadWidth; row < 2 * kHeadWidth; ++row) {
    std::fill_n(weight.data() + row * weight.dim(1), weight.dim(1), 0.0F);
    bias[row] = 0;
  }
  expect_bits_equal(columns.logits(), values.logits());
}

TEST(AblateHead, ChangesNothingIfItContributedNothing) {
  const Fresh f;
  ablate_head(f.model->store, kLayer, 0, kHeads);
  const Tensor<float> before = f.model->store.values().clone();
  const auto rows_before = evaluate_each_row(*f.model->net, *f.task, 20);
  ablate_head(f.model->store, kLayer, 0, kHeads);
  expect_bits_equal(f.model->store.values(), before);
  const auto rows = evaluate_each_row(*f.model->net, *f.task, 20);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].loss, rows_before[i].loss);
}

TEST(AblateHead, TouchesTheCopyAlone) {
  const Fresh f;
  const Tensor<float> before = f.model->store.values().clone();
  const auto copy = copy_of(*f.model, f.config, model_sizes(*f.task));
  expect_bits_equal(copy->store.values(), before);
  ablate_head(copy->store, kLayer, 0, kHeads);
  expect_bits_equal(f.model->store.values(), before);
  EXPECT_EQ(copy->store.find("blocks.0.attention.fc_o.weight").value()[0], 0.0F);
}

TEST(AblateHead, KeepsTheOtherHeadsOfAReparametrisedProjection) {
  const Fresh f({{"model.sigma_reparam=true"}});
  const auto effective = [&f] {
    Tape<float> tape(Tape<float>::Mode::kInference);
    return sigma_reparam(tape.leaf(f.parameter("fc_o.weight")),
                         tape.leaf(f.parameter("fc_o.gamma")))
        .value()
        .clone();
  };
  const Tensor<float> before = effective();
  ablate_head(f.model->store, kLayer, 1, kHeads);
  const Tensor<float> after = effective();
  for (Index i = 0; i < before.size(); ++i) {
    const bool other = i % before.dim(1) < kHeadWidth;
    EXPECT_NEAR(after[i], other ? before[i] : 0.0F, 1e-5F) << i;
  }
}

TEST(AblateHead, RefusesAHeadOrALayerThatIsNotThere) {
  const Fresh f;
  testing::expect_error<ValueError>([&] { ablate_head(f.model->store, kLayer, 2, kHeads); },
                                    "blocks.0.attention: head 2 of 2, with 16 columns");
  testing::expect_error<ValueError>(
      [&] { ablate_head(f.model->store, "blocks.7.attention", 0, kHeads); }, "blocks.7.attention");
}

TEST(EvaluateEachRow, AddsUpToTheEvaluationOfAll) {
  const Fresh f;
  const Index rows = 40;  // more than are evaluated at a time
  const auto each = evaluate_each_row(*f.model->net, *f.task, rows);
  ASSERT_EQ(each.size(), static_cast<std::size_t>(rows));
  double loss = 0, right = 0, counted = 0;
  for (const RowEvaluation& row : each) {
    loss += row.loss * static_cast<double>(row.counted);
    right += row.token_accuracy * static_cast<double>(row.counted);
    counted += static_cast<double>(row.counted);
  }
  const Evaluation all = evaluate(*f.model->net, *f.task, 1, rows);
  EXPECT_NEAR(loss / counted, all.loss, 1e-12);
  EXPECT_NEAR(right / counted, all.token_accuracy, 1e-12);
}

}  // namespace
}  // namespace tapehead
