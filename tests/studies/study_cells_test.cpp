#include "studies/study_cells.h"

#include <atomic>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using testing::TempDir;
using Numbers = std::vector<std::vector<double>>;

constexpr int kVersion = 1;

// Cells that count how often they are computed, and give numbers that no other would.
struct Counted {
  std::atomic<int> calls = 0;
  std::vector<StudyCell> cells;

  explicit Counted(int count) {
    for (int i = 0; i < count; ++i) {
      cells.push_back({"cell " + std::to_string(i), [this, i](int) {
                         ++calls;
                         return std::vector<double>{i / 3.0, std::sqrt(i), -0.0};
                       }});
    }
  }
};

StudyRequest request_in(const std::filesystem::path& folder, int threads = 1) {
  StudyRequest request;
  request.study = "test";
  request.folder = folder;
  request.threads = threads;
  return request;
}

std::string cells_text(const TempDir& dir) {
  std::ifstream file(dir / "cells.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ComputeCells, GivesTheSameForAnyNumberOfThreads) {
  Counted c(20);
  const Numbers one = compute_cells(request_in({}, 1), kVersion, c.cells);
  EXPECT_EQ(one.at(7).at(0), 7 / 3.0);
  EXPECT_EQ(compute_cells(request_in({}, 2), kVersion, c.cells), one);
  EXPECT_EQ(compute_cells(request_in({}, 2), kVersion, c.cells, CellThreads::kAll), one);
  EXPECT_EQ(c.calls, 60);
}

TEST(ComputeCells, SharesOutTheThreads) {
  const std::vector<StudyCell> cells = {
      {"threads", [](int threads) { return std::vector<double>{static_cast<double>(threads)}; }}};
  EXPECT_EQ(compute_cells(request_in({}, 3), kVersion, cells), (Numbers{{1}}));
  EXPECT_EQ(compute_cells(request_in({}, 3), kVersion, cells, CellThreads::kAll), (Numbers{{3}}));
}

TEST(ComputeCells, GoesOnWhereItWasStopped) {
  const TempDir dir;
  Counted c(6);
  StudyRequest request = request_in(dir.path());
  request.stop_requested = [&c] { return c.calls == 3; };
  EXPECT_THROW(compute_cells(request, kVersion, c.cells), StudyInterrupted);
  EXPECT_EQ(c.calls, 3);
  request.stop_requested = [] { return false; };
  const Numbers all = compute_cells(request, kVersion, c.cells);
  EXPECT_EQ(c.calls, 3 + 4);  // the third was being computed when it was stopped
  Counted fresh(6);
  EXPECT_EQ(all, compute_cells(request_in({}), kVersion, fresh.cells));
  EXPECT_EQ(compute_cells(request, kVersion, c.cells), all);
  EXPECT_EQ(c.calls, 7);  // everything was known
}

TEST(ComputeCells, KeepsEveryNumberToTheBit) {
  const TempDir dir;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers = {0.1,       -0.0,       5e-324,      1.7976931348623157e308,
                                       kInfinite, -kInfinite, std::nan("")};
  const std::vector<StudyCell> cells = {{"all kinds", [&numbers](int) { return numbers; }}};
  compute_cells(request_in(dir.path()), kVersion, cells);
  const std::vector<StudyCell> known = {
      {"all kinds", [](int) -> std::vector<double> { throw std::logic_error("computed again"); }}};
  const std::vector<double> read = compute_cells(request_in(dir.path()), kVersion, known).at(0);
  ASSERT_EQ(read.size(), numbers.size());
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    EXPECT_EQ(read[i], numbers[i]);
    EXPECT_EQ(std::signbit(read[i]), std::signbit(numbers[i]));
  }
  EXPECT_TRUE(std::isnan(read.back()));
}

TEST(ComputeCells, ComputesDamagedCellsAgain) {
  const TempDir dir;
  Counted c(2);
  const Numbers numbers = compute_cells(request_in(dir.path()), kVersion, c.cells);
  const std::string good = cells_text(dir);
  auto without_seal = nlohmann::json::parse(good);
  without_seal.erase("sha256");
  std::string other_digit = good;
  other_digit.at(other_digit.find("0.3333") + 2) = '4';  // another number, still JSON
  const std::string damaged[] = {"",
                                 "{",
                                 "[1,2]",
                                 "null",
                                 good.substr(0, good.size() / 2),
                                 without_seal.dump(),
                                 other_digit,
                                 std::string(100000, '[')};
  int expected = 2;
  for (const std::string& text : damaged) {
    dir.write("cells.json", text);
    EXPECT_EQ(compute_cells(request_in(dir.path()), kVersion, c.cells), numbers);
    EXPECT_EQ(c.calls, expected += 2) << text.substr(0, 60);
    EXPECT_EQ(cells_text(dir), good);
  }
}

TEST(ComputeCells, DoesNotUseCellsThatMeanSomethingElse) {
  const TempDir dir;
  Counted c(2);
  compute_cells(request_in(dir.path()), kVersion, c.cells);
  compute_cells(request_in(dir.path()), kVersion + 1, c.cells);
  EXPECT_EQ(c.calls, 4);
}

TEST(ComputeCells, RefusesTheFolderOfTheWholeStudyForTheQuickOneAndTheReverse) {
  for (const bool was_quick : {false, true}) {
    for (const char* kept : {"cells.json", "study.json"}) {
      const TempDir dir;
      Counted c(1);
      StudyRequest request = request_in(dir.path());
      request.quick = was_quick;
      compute_cells(request, kVersion, c.cells);
      std::filesystem::rename(dir / "cells.json", dir / kept);
      request.quick = !was_quick;
      testing::expect_error<IoError>([&] { compute_cells(request, kVersion + 1, c.cells); },
                                     was_quick
                                         ? "'test' --quick, not of 'test'; choose another --out"
                                         : "'test', not of 'test' --quick; choose another --out");
      EXPECT_EQ(c.calls, 1);
    }
  }
}

TEST(ComputeCells, RefusesTheFolderOfAnotherStudy) {
  const TempDir dir;
  Counted c(1);
  compute_cells(request_in(dir.path()), kVersion, c.cells);
  StudyRequest other = request_in(dir.path());
  other.study = "other";
  testing::expect_error<IoError>([&] { compute_cells(other, kVersion, c.cells); },
                                 "parts of the study 'test', not of 'other'; choose another --out");
}

TEST(ComputeCells, FindsAFolderThatCannotBeMadeBeforeTheWork) {
  const TempDir dir;
  dir.write("file", "no folder");
  Counted c(1);
  testing::expect_error<IoError>(
      [&] { compute_cells(request_in(dir / "file" / "study"), kVersion, c.cells); },
      "file/study: cannot make the folder");
  EXPECT_EQ(c.calls, 0);
}

TEST(ComputeCells, PassesOnWhatACellThrows) {
  const TempDir dir;
  for (const int threads : {1, 2}) {
    Counted c(4);
    c.cells[1].compute = [](int) -> std::vector<double> { throw ValueError("cell 1 of 4"); };
    testing::expect_error<ValueError>(
        [&] { compute_cells(request_in(dir.path(), threads), kVersion, c.cells); }, "cell 1 of 4");
  }
  Counted c(4);  // what was finished before is kept
  compute_cells(request_in(dir.path()), kVersion, c.cells);
  EXPECT_LT(c.calls, 4);
}

TEST(ComputeCells, ShowsHowItGoes) {
  const TempDir dir;
  Counted c(3);
  const auto shown = [&](const char* name) {
    StudyRequest request = request_in(dir.path());
    request.progress = std::fopen((dir / name).c_str(), "w");
    compute_cells(request, kVersion, c.cells);
    std::fclose(request.progress);
    std::ifstream file(dir / name);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  EXPECT_THAT(shown("first"), ::testing::HasSubstr("[3/3] cell 2, 0 s left\n"));
  EXPECT_EQ(shown("second"), "3 of 3 cells were computed before\n");
}

}  // namespace
}  // namespace tapehead
