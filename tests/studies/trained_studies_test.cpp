#include <algorithm>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies/distance.h"
#include "studies/order.h"
#include "studies/positions.h"
#include "studies/receptive_field.h"
#include "studies/study_files.h"
#include "studies/study_registry.h"

// The studies that train, in their smallest form.

namespace tapehead {
namespace {

StudyRequest with_threads(int threads) {
  StudyRequest request;
  request.quick = true;
  request.threads = threads;
  return request;
}

// Runs it with one thread and with two, which must give the same numbers.
template <typename Settings>
StudyResult same_for_threads(StudyResult (*study)(const StudyRequest&, const Settings&),
                             const Settings& settings) {
  StudyResult one = study(with_threads(1), settings);
  EXPECT_EQ(to_json(one), to_json(study(with_threads(2), settings)));
  EXPECT_EQ(one.question, find_study(one.study).question);
  EXPECT_EQ(one.seeds.size(), static_cast<std::size_t>(settings.seeds));
  EXPECT_FALSE(one.findings.empty());
  EXPECT_FALSE(one.limits.empty());
  EXPECT_FALSE(one.charts.empty());
  for (const Table& table : one.tables) {
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  }
  return one;
}

const Cell& cell(const Table& table, std::size_t row, const std::string& column) {
  const auto found = std::ranges::find(table.columns, column);
  EXPECT_NE(found, table.columns.end()) << column;
  return table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin()));
}

double mean_of(const Table& table, std::size_t row, const std::string& column) {
  return std::get<Estimate>(cell(table, row, column)).mean;
}

TEST(TrainedStudies, Distance) {
  DistanceSettings settings;
  settings.distances = {4, 70};
  settings.parameters = 1500;
  settings.most_steps = 2;
  settings.batch = 4;
  settings.rows = 20;
  settings.seeds = 2;
  const StudyResult result = same_for_threads(distance_study, settings);
  const Table& rows = result.tables.at(0);
  ASSERT_EQ(rows.rows.size(), 2 * distance_kinds().size());
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    // The convolution's field of 63 ends before the fact.
    const bool blind = std::get<std::string>(cell(rows, r, "model")) == "conv" && r % 2 == 1;
    EXPECT_EQ(mean_of(rows, r, "gradient_init") == 0, blind) << r;
    EXPECT_EQ(mean_of(rows, r, "gradient_trained") == 0, blind) << r;
    EXPECT_LE(mean_of(rows, r, "share_init"), 1);
  }
}

TEST(TrainedStudies, Order) {
  OrderSettings settings;
  settings.positions = {PositionKind::kNone, PositionKind::kRope};
  settings.length = 3;
  settings.most_steps = 2;
  settings.batch = 4;
  settings.seeds = 2;
  const StudyResult result = same_for_threads(order_study, settings);
  EXPECT_EQ(result.tables.at(0).rows.size(), 2 * order_conditions().size());
  EXPECT_THAT(result.findings.at(0), ::testing::HasSubstr("rounding with position = none ("));
}

TEST(TrainedStudies, Positions) {
  PositionsSettings settings;
  settings.tasks = {"copy"};
  settings.positions = {PositionKind::kNone, PositionKind::kLearned, PositionKind::kSinusoidal,
                        PositionKind::kT5};
  settings.longest_trained = 2;
  settings.longest_tested = 6;
  settings.width = 8;
  settings.layers = 1;
  settings.steps = 2;
  settings.batch = 4;
  settings.rows = 20;
  settings.seeds = 2;
  const StudyResult result = same_for_threads(positions_study, settings);
  const Table& rows = result.tables.at(0);
  ASSERT_EQ(rows.rows.size(), 4);
  // A table of learned positions ends; the other schemes go on.
  EXPECT_EQ(std::get<std::string>(cell(rows, 1, "5-6")), "cannot");
  EXPECT_TRUE(std::holds_alternative<Estimate>(cell(rows, 1, "1-2")));
  EXPECT_TRUE(std::holds_alternative<Estimate>(cell(rows, 3, "5-6")));
  EXPECT_THAT(result.findings, ::testing::Contains(::testing::HasSubstr("in 0 of 2 seeds")));
  EXPECT_THAT(
      result.findings.at(0),
      ::testing::HasSubstr("each of the 2 seeds has at least 99 % of every bucket with none "
                           "of the schemes; at least one seed falls short with"));
}

TEST(TrainedStudies, ReceptiveField) {
  ReceptiveFieldSettings settings;
  settings.tasks = {{"one position", {.name = "long_recall", .distance = 12}},
                    {"all positions", {.name = "majority", .length = 10}}};
  settings.conv_layers = {1, 2};
  settings.parameters = 1500;
  settings.most_steps = 2;
  settings.batch = 4;
  settings.seeds = 2;
  const StudyResult result = same_for_threads(receptive_field_study, settings);
  const Table& rows = result.tables.at(0);
  ASSERT_EQ(rows.rows.size(), 6);
  // A field of 3 and of 7 positions reaches back by 2 and by 6.
  for (const std::size_t task : {0U, 3U}) {
    EXPECT_LE(mean_of(rows, task + 1, "most_of_gradient"), 2);
    EXPECT_LE(mean_of(rows, task + 2, "most_of_gradient"), 6);
    EXPECT_LE(mean_of(rows, task, "nearest_head"), mean_of(rows, task, "farthest_head"));
  }
  EXPECT_THAT(result.findings.back(),
              ::testing::HasSubstr("100 % within the 3 positions of its field"));
}

}  // namespace
}  // namespace tapehead
