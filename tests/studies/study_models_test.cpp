#include "studies/study_models.h"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "studies/distance.h"
#include "studies/receptive_field.h"

namespace tapehead {
namespace {

// long_recall with 10 symbols has 14 tokens: '*', '>', '|' and '.' beside them. One layer of a tanh
// network of width d: two matrices and two biases; before it the token table, after it the output.
Index rnn_parameters(Index d) { return 14 * d + 2 * d * d + 2 * d + 14 * d; }

Config rnn_config() {
  Config config = default_config("long_recall", ModelKind::kRnn);
  config.model.layers = 1;
  return completed(config);
}

TEST(StudyModels, CountsParameters) {
  Config config = rnn_config();
  config.model.d_model = 24;
  EXPECT_EQ(parameter_count(config), rnn_parameters(24));
}

TEST(StudyModels, FindTheNearestWidth) {
  for (const Index wanted : {400, 5000, 26'000}) {
    const Index width = matching_width(rnn_config(), wanted, 2);
    EXPECT_EQ(width % 2, 0);
    const Index difference = std::abs(rnn_parameters(width) - wanted);
    EXPECT_LE(difference, std::abs(rnn_parameters(width + 2) - wanted));
    if (width > 2) {
      EXPECT_LT(difference, std::abs(rnn_parameters(width - 2) - wanted));
    }
  }
  EXPECT_EQ(matching_width(rnn_config(), rnn_parameters(30), 2), 30);
  EXPECT_EQ(matching_width(rnn_config(), 1, 4), 4);
}

// The studies compare models of equal size; what remains is the coarseness of widths.
TEST(StudyModels, AreEquallyLargeInTheStudies) {
  const DistanceSettings distance;
  for (const ModelKind kind : distance_kinds()) {
    const Index count = parameter_count(distance_config(distance, kind, 8, 1));
    EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(distance.parameters), 1, 0.06)
        << traits_of(kind).name;
  }
  const ReceptiveFieldSettings field;
  for (const auto& task : field.tasks) {
    for (const Index model : receptive_field_models(field)) {
      const Index count = parameter_count(receptive_field_config(field, task, model, 1));
      EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(field.parameters), 1, 0.06)
          << task.task.name << " " << receptive_field_model_name(model);
    }
  }
}

// 1 + (3 - 1) (1 + 2 + 4 + 8 + 16)
TEST(StudyModels, NameAConvolutionByItsField) {
  EXPECT_EQ(receptive_field_model_name(5), "conv, 63");
  EXPECT_EQ(receptive_field_model_name(1), "conv, 3");
  EXPECT_EQ(receptive_field_model_name(0), "decoder");
}

TEST(StudyModels, EstimateASettingOverItsSeeds) {
  const std::vector<std::vector<double>> cells = {{9, 9}, {9, 1}, {9, 2}, {9, 3}, {9, 9}};
  const Estimate e = estimate_cells(cells, 1, 3, 1);
  EXPECT_DOUBLE_EQ(e.mean, 2);
  EXPECT_DOUBLE_EQ(e.se, 1 / std::sqrt(3.0));
  EXPECT_EQ(first_seeds(3), (std::vector<Index>{1, 2, 3}));
  EXPECT_EQ(percent_text({0.5, 0.012}), "50.0 % ± 1.2 %");
  EXPECT_EQ(percent_text({0.5}), "50.0 %");
  EXPECT_EQ(percent_text({}), "-");
}

TEST(StudyModels, StopWhenAsked) {
  Config config = rnn_config();
  config.train.steps = 1000;
  StudyRequest request;
  request.stop_requested = [] { return true; };
  EXPECT_THROW(train_for_study(config, 1, request), StudyInterrupted);
}

}  // namespace
}  // namespace tapehead
