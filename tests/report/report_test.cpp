#include "report/report.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/documents/report_document.h"
#include "app/documents/run_report.h"
#include "base/error.h"
#include "studies/study_files.h"
#include "tests/report/sample_figures.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_run.h"

namespace tapehead {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run;
using testing::small_study;
using testing::TempDir;
using testing::tiny_run;

template <typename T>
std::vector<T> blocks_of(const Document& document) {
  std::vector<T> result;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const auto* b = std::get_if<T>(&block)) result.push_back(*b);
    }
  }
  return result;
}

std::vector<std::string> titles_of(const Document& document) {
  std::vector<std::string> titles;
  for (const Section& section : document.sections) titles.push_back(section.title);
  return titles;
}

Chart chart_named(const Document& document, const std::string& name) {
  for (Chart& chart : blocks_of<Chart>(document)) {
    if (chart.name == name) return std::move(chart);
  }
  ADD_FAILURE() << "no chart " << name;
  return {};
}

// x and y of each point: error bars that are NaN equal nothing.
std::vector<std::pair<double, double>> points_of(const ChartSeries& series) {
  std::vector<std::pair<double, double>> result;
  for (const ChartPoint& p : series.points) result.emplace_back(p.x, p.y);
  return result;
}

Document report_on(const std::vector<fs::path>& folders) { return report_document(folders); }

TEST(RunReports, ShowWhatTheRunMeasured) {
  const TempDir dir;
  const Config config = tiny_run({{"train.eval_every=6"}});
  const TrainSummary summary = run(config, dir / "first");
  const Document document = report_on({dir / "first"});
  EXPECT_EQ(document.title, "first");
  EXPECT_THAT(titles_of(document),
              AllOf(::testing::Contains("Summary"), ::testing::Contains("Learning"),
                    ::testing::Contains("Samples"), ::testing::Contains("Attention"),
                    ::testing::Contains("Configuration")));
  const Chart loss = chart_named(document, "loss");
  ASSERT_EQ(loss.series.size(), 2U);
  EXPECT_EQ(loss.series[0].points.size(), 24U);
  EXPECT_EQ(loss.series[0].points.back().y, summary.loss);
  ASSERT_EQ(loss.series[1].points.size(), 4U);
  EXPECT_EQ(points_of(loss.series[1])[3], std::pair(24.0, summary.evaluation->loss));
  const Chart accuracy = chart_named(document, "accuracy");
  EXPECT_EQ(accuracy.series[2].points.back().y, summary.evaluation->accuracy);
  for (const char* name : {"learning-rate", "gradient-norm", "throughput"}) {
    EXPECT_EQ(chart_named(document, name).series[0].points.size(), 24U) << name;
  }
  const Table table = blocks_of<Table>(document).at(0);
  const auto has = [&table](const std::string& value) {
    return std::ranges::any_of(table.rows, [&](const auto& row) { return row[1] == Cell(value); });
  };
  EXPECT_TRUE(has(std::to_string(summary.parameters)));
  EXPECT_TRUE(has(summary.digest.substr(0, 16)));
  EXPECT_EQ(blocks_of<SampleList>(document).at(0).samples.size(), 6U);
  EXPECT_EQ(blocks_of<Listing>(document).at(0).text, to_toml(config));
}

TEST(RunReports, PutSeveralRunsIntoOneChart) {
  const TempDir dir;
  run(tiny_run(), dir / "a");
  run(tiny_run({{"train.seed=2"}, {"train.steps=10"}}), dir / "b");
  const Document document = report_on({dir / "a", dir / "b"});
  const Chart loss = chart_named(document, "training-loss");
  ASSERT_EQ(loss.series.size(), 2U);
  EXPECT_EQ(loss.series[0].name, "a");
  EXPECT_EQ(loss.series[0].points.size(), 24U);
  EXPECT_EQ(loss.series[1].points.size(), 10U);
  EXPECT_THAT(blocks_of<Table>(document).at(0).columns, ElementsAre("", "a", "b"));
}

TEST(RunReports, OfOneNameAreToldApart) {
  const TempDir dir;
  run(tiny_run(), dir / "x/run");
  run(tiny_run(), dir / "y/run");
  const auto columns = blocks_of<Table>(report_on({dir / "x/run", dir / "y/run"})).at(0).columns;
  EXPECT_NE(columns[1], columns[2]);
}

TEST(RunReports, ShowOfRealNumbersTheSquaredError) {
  const TempDir dir;
  run(tiny_run({{"task.name=regression"}, {"task.length=0"}, {"task.symbols=0"}}), dir / "r");
  const Document document = report_on({dir / "r"});
  EXPECT_EQ(chart_named(document, "loss").y_label, "mean squared error");
  for (const Chart& chart : blocks_of<Chart>(document)) EXPECT_NE(chart.name, "accuracy");
}

TEST(RunReports, OfDamagedMetricsSayWhatIsMissing) {
  const TempDir dir;
  run(tiny_run(), dir / "r");
  dir.write("r/metrics.h5", "damaged");
  const Document document = report_on({dir / "r"});
  EXPECT_TRUE(blocks_of<Chart>(document).empty());
  EXPECT_THAT(blocks_of<Paragraph>(document).at(0).text,
              HasSubstr("r: no losses and no curves, as metrics.h5 could not be read: "));
  EXPECT_THAT(document.warnings, ElementsAre(HasSubstr("metrics.h5: damaged, cut off")));
  EXPECT_THAT(terminal_view(document, TextStyle::kAscii),
              HasSubstr("metrics.h5 could not be read"));
  EXPECT_FALSE(blocks_of<AttentionMaps>(document).empty());
}

TEST(RunReports, OfATextThatIsGoneSayWhatIsMissing) {
  const TempDir dir;
  const auto text = dir.write("t.txt", std::string(2000, 'a') + std::string(2000, 'b'));
  run(tiny_run({{"task.name=text"}, {"task.path='" + text.string() + "'"}, {"task.symbols=0"}}),
      dir / "r");
  EXPECT_EQ(blocks_of<SampleList>(report_on({dir / "r"})).size(), 1U);
  fs::remove(text);
  const Document document = report_on({dir / "r"});
  EXPECT_TRUE(blocks_of<SampleList>(document).empty());
  EXPECT_FALSE(blocks_of<Chart>(document).empty());
  EXPECT_THAT(blocks_of<Paragraph>(document).at(0).text, HasSubstr("no samples"));
}

// Every probe of layers and heads is a chart with a curve for each; maps have the steps probed.
TEST(RunReports, ShowProbes) {
  RunReport report;
  report.name = "r";
  for (const Index step : {0, 50, 100}) {
    const auto at = static_cast<float>(step);
    report.metrics.append(ProbeSample{"entropy/mean", step, {2, 2}, {at, 1, 2, 3}});
    report.metrics.append(ProbeSample{"gradients/W_Q", step, {2}, {1 + at, 1e-4F}});
    report.metrics.append(ProbeSample{"made/up", step, {1, 1}, {at}});
  }
  Document document;
  add_runs(document, {&report, 1});
  EXPECT_THAT(titles_of(document), ElementsAre("Summary", "Entropy and saturation", "Gradients",
                                               "made", "Configuration"));
  const Chart entropy = chart_named(document, "entropy/mean");
  ASSERT_EQ(entropy.series.size(), 4U);
  EXPECT_EQ(entropy.series[2].name, "layer 2, head 1");
  EXPECT_THAT(points_of(entropy.series[0]),
              ElementsAre(std::pair(0.0, 0.0), std::pair(50.0, 50.0), std::pair(100.0, 100.0)));
  const Chart gradient = chart_named(document, "gradients/W_Q");
  EXPECT_EQ(gradient.title, "Gradient of W_Q");
  EXPECT_EQ(gradient.series[1].name, "layer 2");
  EXPECT_TRUE(gradient.log_y);  // from 1e-4 to 101
  report.attention.layers = {{.path = "a", .kind = AttentionKind::kSource},
                             {.path = "b", .kind = AttentionKind::kCross}};
  Document named;
  add_runs(named, {&report, 1});
  EXPECT_EQ(chart_named(named, "gradients/W_Q").series[0].name, "encoder layer 1");
  EXPECT_EQ(chart_named(named, "entropy/mean").series[3].name, "decoder layer 1 to source, head 2");
}

TEST(StudyReports, ShowAllOfTheStudy) {
  const TempDir dir;
  const StudyResult study = small_study();
  write_study(dir / "s", study);
  const Document document = report_on({dir / "s"});
  EXPECT_EQ(document.title, "study demo");
  EXPECT_EQ(document.subtitle, study.question);
  EXPECT_EQ(blocks_of<BulletList>(document).at(0).items, study.findings);
  EXPECT_EQ(blocks_of<Chart>(document).at(0).title, study.charts[0].title);
  EXPECT_EQ(points_of(blocks_of<Chart>(document).at(0).series[0]),
            points_of(study.charts[0].series[0]));
  EXPECT_EQ(blocks_of<AttentionMaps>(document), study.maps);
  std::string text;
  for (const Paragraph& p : blocks_of<Paragraph>(document)) text += p.text + "\n";
  EXPECT_THAT(text, AllOf(HasSubstr("Seeds: 1, 2, 3."), HasSubstr(study.settings),
                          HasSubstr(study.limits), Not(HasSubstr("quick"))));
}

TEST(StudyReports, SayAtTheTopThatTheStudyIsTheQuickVersion) {
  const TempDir dir;
  StudyResult study = small_study();
  study.quick = true;
  write_study(dir / "s", study);
  const Document document = report_on({dir / "s"});
  EXPECT_THAT(document.subtitle, HasSubstr("quick version"));
  EXPECT_THAT(terminal_view(document, TextStyle::kAscii),
              ::testing::StartsWith("study demo\n" + document.subtitle + "\n"));
  EXPECT_EQ(report_on({dir / "s", dir / "s"}).subtitle,
            "2 studies, demo in its quick version, demo in its quick version");
}

TEST(Reports, OfAStudyAndARunHaveBoth) {
  const TempDir dir;
  write_study(dir / "s", small_study());
  run(tiny_run(), dir / "r");
  const Document document = report_on({dir / "s", dir / "r"});
  EXPECT_EQ(document.title, "r, study demo");
  EXPECT_EQ(document.subtitle, "1 run, 1 study");
  EXPECT_THAT(titles_of(document),
              AllOf(::testing::Contains("Learning"), ::testing::Contains("demo: Findings")));
}

TEST(Reports, OfWhatIsNeitherAreRefused) {
  const TempDir dir;
  fs::create_directory(dir / "empty");
  const auto message = [](const fs::path& folder) {
    try {
      report_on({folder});
    } catch (const IoError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(dir / "none"), HasSubstr("there is no such folder"));
  EXPECT_THAT(message(dir / "empty"), HasSubstr("neither a run nor a study"));
  dir.write("empty/study.json", "{");
  EXPECT_THAT(message(dir / "empty"), HasSubstr("no study as tapehead writes it"));
  EXPECT_THAT(message(dir / "empty/study.json"), HasSubstr("is a file; name the folder of a run"));
}

TEST(Reports, OfAStudyThatIsNotFinishedSayHowToGoOn) {
  const TempDir dir;
  const auto message = [&dir](const char* cells) {
    dir.write("s/cells.json", cells);
    try {
      report_on({dir / "s"});
    } catch (const IoError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  fs::create_directory(dir / "s");
  const std::string out = " --out " + (dir / "s").string();
  EXPECT_THAT(message(R"({"study": "order", "quick": true})"),
              AllOf(HasSubstr("the study order here is not finished"),
                    HasSubstr("go on with: tapehead study order --quick" + out)));
  EXPECT_THAT(message(R"({"study": "heads", "quick": false})"),
              HasSubstr("tapehead study heads RUN" + out));
  EXPECT_THAT(message("{"), HasSubstr("cells.json is damaged"));
}

TEST(WriteReport, ReplacesReportsOnly) {
  const TempDir dir;
  const Document document{"t", "s", {}};
  write_report(dir / "r.html", document);
  write_report(dir / "r.html", {"other", "s", {}});
  const auto precious = dir.write("precious", "precious");
  EXPECT_THROW(write_report(precious, document), ValueError);
  EXPECT_THROW(write_report(dir.path(), document), ValueError);
  EXPECT_THROW(write_report(dir / "none/r.html", document), ValueError);
  std::string content;
  std::getline(std::ifstream(precious), content);
  EXPECT_EQ(content, "precious");
}

TEST(TerminalView, IsAsciiIfAsked) {
  const TempDir dir;
  write_study(dir / "s", small_study());
  run(tiny_run(), dir / "r");
  const Document document = report_on({dir / "s", dir / "r"});
  const std::string ascii = terminal_view(document, TextStyle::kAscii);
  EXPECT_TRUE(std::ranges::all_of(ascii, [](char c) { return c > 0; }));
  EXPECT_THAT(ascii, AllOf(HasSubstr("attention of layer 1"), HasSubstr("Loss: training batch"),
                           HasSubstr("- A & B differ by 0.5 +- 0.1."), HasSubstr("predicted")));
  EXPECT_THAT(terminal_view(document, TextStyle::kUnicode), HasSubstr("█"));
}

}  // namespace
}  // namespace tapehead
