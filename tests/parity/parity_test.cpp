#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <sys/wait.h>
#include <nlohmann/json.hpp>

#include "data/hdf5_file.h"
#include "tests/parity/report.h"
#include "tests/parity/runner.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead::parity {
namespace {

using tapehead::testing::TempDir;

using Numbers = std::vector<double>;

// A file with one case "c": the square of (1, 2, 3) with upstream (1, 10, 100).
struct SquareCase {
  std::string format = "parity", kind = "op", name = "square";
  Index version = 1;
  Numbers output = {1, 4, 9};
  Numbers grad = {2, 40, 600};
  std::string input_name = "x";

  std::filesystem::path write(const TempDir& dir) const {
    const auto path = dir / "case.h5";
    Hdf5File file = Hdf5File::create(path);
    file.write_attribute("", "format", format);
    file.write_attribute("", "version", version);
    file.create_group("c");
    file.write_attribute("c", "kind", kind);
    file.write_attribute("c", "name", name);
    const auto put = [&file](const std::string& at, const Numbers& values) {
      file.write<double>("c/" + at, values, {static_cast<Index>(values.size())});
    };
    put("inputs/" + input_name, {1, 2, 3});
    put("upstream/output", {1, 10, 100});
    put("outputs/output", output);
    put("grads/" + input_name, grad);
    file.close();
    return path;
  }
};

CaseResult result_of(const SquareCase& square) {
  const TempDir dir;
  const auto results = run_files({square.write(dir)});
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

int exit_code(const std::string& arguments) {
  const int status =
      std::system(fmt::format("'{}' {} >/dev/null 2>&1", TAPEHEAD_PARITY, arguments).c_str());
  return WEXITSTATUS(status);
}

TEST(Parity, ARightCasePasses) {
  const CaseResult r = result_of({});
  EXPECT_EQ(r.status, Status::kPassed) << r.message;
  EXPECT_EQ(r.max_abs_error, 0);
}

TEST(Parity, AWrongOutputFailsWithItsError) {
  const CaseResult r = result_of({.output = {1, 4.5, 9}});
  EXPECT_EQ(r.status, Status::kFailed);
  EXPECT_DOUBLE_EQ(r.max_abs_error, 0.5);
  EXPECT_DOUBLE_EQ(r.max_rel_error, 0.5 / 9);
  EXPECT_THAT(r.message, ::testing::ContainsRegex("output output at \\(1\\): 4, expected 4.5"));
}

TEST(Parity, AWrongGradientFailsWithItsError) {
  const CaseResult r = result_of({.grad = {2, 40, 600.001}});
  EXPECT_EQ(r.status, Status::kFailed);
  EXPECT_NEAR(r.max_abs_error, 0.001, 1e-12);
  EXPECT_THAT(r.message, ::testing::ContainsRegex("gradient of x at \\(2\\): 600"));
}

TEST(Parity, ErrorsAreHeldAgainstTheBound) {
  EXPECT_EQ(result_of({.grad = {2, 40, 600 + 590e-10}}).status, Status::kPassed);
  EXPECT_EQ(result_of({.grad = {2, 40, 600 + 610e-10}}).status, Status::kFailed);
}

TEST(Parity, ANanIsNoMatchForANumber) {
  const CaseResult r = result_of({.output = {1, std::nan(""), 9}});
  EXPECT_EQ(r.status, Status::kFailed);
  EXPECT_TRUE(std::isinf(r.max_abs_error));
}

TEST(Parity, AnotherShapeFails) {
  const CaseResult r = result_of({.output = {1, 4}});
  EXPECT_EQ(r.status, Status::kFailed);
  EXPECT_THAT(r.message, ::testing::ContainsRegex("shape \\(3\\), expected \\(2\\)"));
}

TEST(Parity, WhatIsNotBuiltIsNotCovered) {
  const CaseResult r = result_of({.name = "no_such_op"});
  EXPECT_EQ(r.status, Status::kNotCovered);
  EXPECT_THAT(r.message, ::testing::HasSubstr("no_such_op"));
  EXPECT_EQ(result_of({.kind = "layer", .name = "no_such_layer"}).status, Status::kNotCovered);
  EXPECT_EQ(result_of({.kind = "train", .name = "rnn_run"}).status, Status::kNotCovered);
  EXPECT_EQ(result_of({.kind = "study"}).status, Status::kNotCovered);
}

TEST(Parity, RefusesFilesThatAreNotOfTheFormat) {
  using tapehead::testing::expect_error;
  expect_error<IoError>([] { result_of({.format = "other"}); }, "'format' must be 'parity'");
  expect_error<IoError>([] { result_of({.version = 2}); }, "version 2 .*reads version 1");
  expect_error<IoError>([] { result_of({.input_name = "y"}); }, "c/inputs/x");
}

TEST(Parity, JsonHoldsEveryCase) {
  const TempDir dir;
  const auto path = SquareCase{.grad = {2, 40, 601}}.write(dir);
  const auto report = nlohmann::json::parse(json_report(run_files({path})));
  EXPECT_FALSE(report.at("passed").get<bool>());
  const auto& entry = report.at("cases").at(0);
  EXPECT_EQ(entry.at("file"), path.string());
  EXPECT_EQ(entry.at("case"), "c");
  EXPECT_EQ(entry.at("kind"), "op");
  EXPECT_EQ(entry.at("name"), "square");
  EXPECT_EQ(entry.at("status"), "failed");
  EXPECT_EQ(entry.at("max_abs_error"), 1.0);
  EXPECT_EQ(entry.at("max_rel_error"), 1.0 / 601);
}

TEST(Parity, TheTableNamesTheVerdict) {
  const std::string text = table_report(
      {{"f.h5", "good", "op", "add", Status::kPassed, 1e-17, 1e-17, ""},
       {"f.h5", "bad", "op", "sub", Status::kFailed, 1, 0.5, "output at (0)"},
       {"f.h5", "later", "layer", "rnn", Status::kNotCovered, 0, 0, "layer 'rnn' is not built"}});
  EXPECT_THAT(text, ::testing::ContainsRegex("good +op add +1e-17 +1e-17 +passed"));
  EXPECT_THAT(text, ::testing::ContainsRegex("bad +op sub +1 +0.5 +FAILED\n +output at"));
  EXPECT_THAT(text, ::testing::ContainsRegex("later +layer rnn +- +- +not covered"));
  EXPECT_THAT(text, ::testing::HasSubstr("1 passed, 1 failed, 1 not covered"));
}

TEST(Parity, TheReferenceFilesPass) {
  const std::filesystem::path folder = TAPEHEAD_PARITY_DIR;
  std::set<std::string> not_covered;
  for (const CaseResult& r :
       run_files({folder / "ops.h5", folder / "layers.h5", folder / "training.h5"})) {
    EXPECT_NE(r.status, Status::kFailed) << r.case_name << ": " << r.message;
    if (r.status == Status::kNotCovered) not_covered.insert(r.name);
  }
  EXPECT_THAT(not_covered, ::testing::IsEmpty());
}

TEST(ParityProgram, ExitCodesTellWhatHappened) {
  const TempDir dir;
  const std::string good = SquareCase{}.write(dir).string();
  EXPECT_EQ(exit_code(good), 0);
  EXPECT_EQ(exit_code(good + " --json"), 0);
  const std::string bad = SquareCase{.grad = {2, 40, 601}}.write(dir).string();
  EXPECT_EQ(exit_code(bad), 1);
  EXPECT_EQ(exit_code(dir.write("text.h5", "no HDF5").string()), 2);
  EXPECT_EQ(exit_code((dir / "missing.h5").string()), 2);
  EXPECT_EQ(exit_code("--unknown"), 2);
  EXPECT_EQ(exit_code(""), 2);
}

}  // namespace
}  // namespace tapehead::parity
