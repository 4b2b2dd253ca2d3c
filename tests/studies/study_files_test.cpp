#include "studies/study_files.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"
#include "train/run_file.h"

namespace tapehead {
namespace {

using nlohmann::json;
using testing::expect_error;
using testing::TempDir;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// A result with everything in it that a result may hold.
StudyResult full_result() {
  StudyResult r;
  r.study = "saturation";
  r.question = "Why \"<&>\"?";
  r.settings = "d_k from 16 to 64 ± nothing";
  r.quick = true;
  r.seeds = {1, 2, 3};
  r.findings = {"one", "two"};
  r.limits = "none";
  r.tables = {{"rows",
               "A table",
               {"scale", "d_k", "entropy"},
               {{std::string("none"), 16.0, Estimate{1.5, 0.1, {{1, 2, 3}}}},
                {std::string("inv_sqrt"), 0.1, Estimate{2.5, 0.25}}}},
              {"more", "Another", {"x"}, {{1e-300}}}};
  Chart chart{"entropy", "Title", "d_k", "nats", true, false, {"a", "b"}, {}};
  chart.series = {{"none", {{1, 2, 1.5, 2.5}, {3, 4, 3.5, 4.5}}}};
  r.charts = {chart};
  r.maps = {{"attention",
             "Maps",
             {"a", "<"},
             {"x"},
             {"blocks.0.attention"},
             2,
             {5},
             {{1, 0.5F, 0.25F, 0}}}};
  return r;
}

TEST(StudyJson, ReadsBackEqual) {
  EXPECT_EQ(study_from_json(to_json(full_result()), "here"), full_result());
  EXPECT_EQ(study_from_json(to_json(StudyResult{}), "here"), StudyResult{});
}

TEST(StudyJson, HasTheRowsOfTheFirstTableAtTheTop) {
  const json j = json::parse(to_json(full_result()));
  EXPECT_EQ(j["rows"][0], json::parse(R"({"scale": "none", "d_k": 16.0, "entropy":
      {"mean": 1.5, "se": 0.1, "q10": 1.0, "median": 2.0, "q90": 3.0}})"));
  EXPECT_EQ(j["rows"][1]["entropy"], json::parse(R"({"mean": 2.5, "se": 0.25})"));
  EXPECT_EQ(j["seeds"], json::parse("[1, 2, 3]"));
  EXPECT_EQ(j["tables"][1]["rows"][0]["x"], 1e-300);
}

TEST(StudyJson, WritesNanAsNull) {
  StudyResult r = full_result();
  r.tables[0].rows = {{std::string("-"), kNothing, Estimate{}}};
  r.charts[0].series[0].points = {{1, 2}};
  r.maps[0].weights = {{0, std::nanf(""), 1, 0}};
  const std::string text = to_json(r);
  EXPECT_EQ(json::parse(text)["rows"][0]["d_k"], nullptr);
  const StudyResult back = study_from_json(text, "here");
  EXPECT_TRUE(std::isnan(std::get<double>(back.tables[0].rows[0][1])));
  EXPECT_TRUE(std::isnan(std::get<Estimate>(back.tables[0].rows[0][2]).mean));
  EXPECT_TRUE(std::isnan(back.charts[0].series[0].points[0].low));
  EXPECT_TRUE(std::isnan(back.maps[0].weights[0][1]));
  EXPECT_EQ(to_json(back), text);
}

TEST(StudyJson, ReplacesBytesThatAreNoText) {
  StudyResult r;
  r.settings = "run \xff";
  EXPECT_EQ(json::parse(to_json(r))["settings"], "run \xef\xbf\xbd");
}

TEST(StudyJson, RefusesWhatIsNoStudy) {
  for (const char* text : {"", "{}", "[]", "3", R"({"study": 1})"}) {
    expect_error<IoError>([text] { study_from_json(text, "s/study.json"); },
                          "s/study.json: damaged, cut off, or no study as tapehead writes it");
  }
  for (const char* text : {"{", "{}"}) {  // in our words, not in those of the JSON library
    try {
      study_from_json(text, "s");
      ADD_FAILURE() << text;
    } catch (const IoError& e) {
      EXPECT_EQ(std::string(e.what()).find("json.exception"), std::string::npos) << e.what();
    }
  }
  json j = json::parse(to_json(full_result()));
  j["maps"][0]["weights"][0].erase(0);
  expect_error<IoError>([&j] { study_from_json(j.dump(), "s/study.json"); },
                        "maps 'attention' of 1 steps need 4 weights each");
}

TEST(StudyFolder, HoldsWhatWasWritten) {
  const TempDir dir;
  write_study(dir / "new" / "study", full_result());
  EXPECT_EQ(read_study(dir / "new" / "study"), full_result());
  write_study(dir / "new" / "study", StudyResult{});  // replaced
  EXPECT_EQ(read_study(dir / "new" / "study"), StudyResult{});
}

TEST(StudyFolder, SaysWhatIsMissing) {
  const TempDir dir;
  expect_error<IoError>([&dir] { read_study(dir / "none"); },
                        "none/study.json: cannot be read; is it a study's folder");
  dir.write("file", "");
  expect_error<IoError>([&dir] { write_study(dir / "file" / "s", {}); }, "cannot make the folder");
}

TEST(StudyFolder, HasTheColumnsAsHdf5) {
  const TempDir dir;
  write_study(dir / "s", full_result());
  const Hdf5File file = open_run_file(dir / "s" / "study.h5", "tapehead study", 1);
  EXPECT_EQ(file.attribute_as<std::string>("/", "study"), "saturation");
  EXPECT_EQ(file.attribute_as<std::vector<Index>>("/", "seeds"), (std::vector<Index>{1, 2, 3}));
  EXPECT_EQ(file.attribute_as<std::string>("rows", "title"), "A table");
  EXPECT_EQ(file.read_strings("rows/scale"), (std::vector<std::string>{"none", "inv_sqrt"}));
  EXPECT_EQ(file.read<double>("rows/d_k").values, (std::vector<double>{16, 0.1}));
  EXPECT_EQ(file.read<double>("rows/entropy/mean").values, (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(file.read<double>("rows/entropy/se").values, (std::vector<double>{0.1, 0.25}));
  EXPECT_EQ(file.read<double>("rows/entropy/median").values.front(), 2);
  EXPECT_TRUE(std::isnan(file.read<double>("rows/entropy/q90").values.back()));
}

TEST(StudyFolder, LosesNothingOfColumnsWithCellsOfSeveralKinds) {
  const TempDir dir;
  StudyResult r = full_result();
  // The first row alone would say: a number, a text.
  r.tables = {{"rows",
               "Mixed",
               {"estimates", "texts"},
               {{kNothing, 3.0}, {Estimate{2, 0.5}, std::string("all")}, {1.0, std::string("-")}}}};
  write_study(dir / "s", r);
  const Hdf5File file = open_run_file(dir / "s" / "study.h5", "tapehead study", 1);
  const auto means = file.read<double>("rows/estimates/mean").values;
  EXPECT_TRUE(std::isnan(means[0]));
  EXPECT_EQ(means[1], 2);
  EXPECT_EQ(means[2], 1);
  EXPECT_EQ(file.read<double>("rows/estimates/se").values[1], 0.5);
  EXPECT_EQ(file.read_strings("rows/texts"), (std::vector<std::string>{"3", "all", "-"}));
  EXPECT_FALSE(file.exists("rows/estimates/median"));
}

TEST(StudyFolder, MayHaveATableWithoutRows) {
  const TempDir dir;
  StudyResult r;
  r.tables = {{"rows", "Empty", {"x"}, {}}};
  write_study(dir / "s", r);
  EXPECT_EQ(read_study(dir / "s"), r);
}

}  // namespace
}  // namespace tapehead
