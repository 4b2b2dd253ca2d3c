// What --resume and the commands that read a run make of a folder that is not as they left it.

#include <atomic>
#include <fstream>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_run.h"
#include "train/checkpoint_folder.h"
#include "train/metrics.h"
#include "train/run_config.h"
#include "train/run_data.h"

namespace tapehead {
namespace {

using testing::bytes_of;
using testing::expect_error;
using testing::run;
using testing::run_until;
using testing::TempDir;
using testing::tiny_run;
using testing::write_bytes;

// Replaces one line of the run's config.toml by another, as an editor would.
void edit_config(const fs::path& run, const std::string& from, const std::string& to) {
  std::string text = bytes_of(config_path(run));
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  write_bytes(config_path(run), text.replace(at, from.size(), to));
}

// As `train --resume --out RUN [--steps N]`.
TrainSummary go_on(const fs::path& run, std::optional<Index> steps = std::nullopt) {
  return testing::resume(resume_config(run, steps), run);
}

// A run that was stopped after 7 of 24 steps.
fs::path stopped_run(const TempDir& dir, const Config& config = tiny_run()) {
  run_until(config, dir / "run", 7);
  return dir / "run";
}

std::string capture_stderr(const std::function<void()>& f) {
  ::testing::internal::CaptureStderr();
  f();
  return ::testing::internal::GetCapturedStderr();
}

// --- config.toml ---------------------------------------------------------------------------------

TEST(EditedConfig, IsNotBelievedWhenReadingARun) {
  const TempDir dir;
  const fs::path run = stopped_run(dir);
  const std::string before = load_run(run).info.digest;
  edit_config(run, "heads = 2", "heads = 4");
  edit_config(run, "seed = 1", "seed = 3");
  LoadedRun loaded;
  const std::string warning = capture_stderr([&] { loaded = load_run(run); });
  EXPECT_EQ(loaded.config, tiny_run());
  EXPECT_THAT(warning, ::testing::MatchesRegex(
                           "warning: .*config.toml: not what .*: model.heads, train.seed\n"));
}

TEST(EditedConfig, WarnsOfNothingIfItIsAsItWas) {
  const TempDir dir;
  const fs::path run = stopped_run(dir);
  write_bytes(config_path(run), "# my best run\n" + bytes_of(config_path(run)));
  EXPECT_EQ(capture_stderr([&] { load_run(run); }), "");
}

TEST(EditedConfig, IsRefusedOnResumeNamingKeyAndValues) {
  const TempDir dir;
  const fs::path run = stopped_run(dir);
  edit_config(run, "heads = 2", "heads = 4");
  const std::string message =
      "config.toml: model.heads = 4, but the run was trained with 2; .*put the value back, or "
      "delete";
  expect_error<ValueError>([&] { go_on(run); }, message);
  expect_error<ValueError>([&] { testing::resume(tiny_run(), run); }, message);
  edit_config(run, "heads = 4", "heads = 2");
  edit_config(run, "clip = 1.0", "clip = 9.0");
  expect_error<ValueError>([&] { go_on(run); }, "optimizer.clip = 9.0, .* trained with 1.0");
}

TEST(EditedConfig, CanBeDeletedToGoOnWithThatOfTheCheckpoint) {
  const TempDir dir;
  const std::string whole = run(tiny_run(), dir / "whole").digest;
  const fs::path run = stopped_run(dir);
  fs::remove(config_path(run));
  EXPECT_THAT(capture_stderr([&] { load_run(run); }),
              ::testing::HasSubstr("config.toml: there is"));
  EXPECT_EQ(go_on(run).digest, whole);
  EXPECT_EQ(read_run_config(run), tiny_run());
}

TEST(EditedConfig, OtherSettingsThanTheRunsAreRefused) {
  const TempDir dir;
  const fs::path run = stopped_run(dir);
  expect_error<ValueError>(
      [&] { check_goes_on(run, resume_config(run), tiny_run({{"train.seed=5"}})); },
      "this run has train.seed = 1, not 5; a run cannot go on with another configuration");
}

// --- More steps ----------------------------------------------------------------------------------

TEST(LongerRun, MakesTheStepsAndRemembersThem) {
  const TempDir dir;
  const fs::path folder = dir / "run";
  run(tiny_run(), folder);
  const TrainSummary longer = go_on(folder, 40);
  EXPECT_EQ(longer.steps, 40);
  EXPECT_EQ(load_run(folder).config.train.steps, 40);
  EXPECT_EQ(read_run_config(folder).train.steps, 40);
  const auto rows = Metrics::load(metrics_path(folder)).training();
  ASSERT_EQ(rows.size(), 40U);
  // The warmup of 100 steps is not over, and the rate rises with each.
  EXPECT_GT(rows[39].lr, rows[23].lr);
}

TEST(LongerRun, WithoutAScheduleIsTheRunThatWasLongFromTheStart) {
  const TempDir dir;
  const std::vector<Setting> constant = {{"optimizer.schedule=constant"}, {"optimizer.warmup=0"}};
  Config longer = tiny_run(constant);
  longer.train.steps = 40;
  const std::string whole = run(longer, dir / "whole").digest;
  run(tiny_run(constant), dir / "parts");
  EXPECT_EQ(go_on(dir / "parts", 40).digest, whole);
}

TEST(LongerRun, SurvivesAnInterruption) {
  const TempDir dir;
  const fs::path folder = dir / "run";
  run(tiny_run(), folder);
  TrainRequest request;
  request.config = resume_config(folder, 40);
  request.folder = folder;
  request.resume = true;
  request.stop_requested = [] { return true; };
  EXPECT_EQ(train(request).steps, 25);
  EXPECT_EQ(go_on(folder, 40).steps, 40);  // the same command again
  EXPECT_EQ(go_on(folder).steps, 40);
}

TEST(LongerRun, IsNotMadeShorter) {
  const TempDir dir;
  const fs::path run = stopped_run(dir);
  expect_error<ValueError>([&] { resume_config(run, 10); },
                           "this run has train.steps = 24, not 10; .*not made shorter");
  edit_config(run, "steps = 24", "steps = 50");
  expect_error<ValueError>([&] { resume_config(run); }, "train.steps = 50.*24.*give --steps");
}

// --- Data ----------------------------------------------------------------------------------------

class ChangedData : public ::testing::Test {
 protected:
  // A run on the text, stopped after 3 steps.
  ChangedData() {
    for (int i = 0; i < 40; ++i) text_ += "to be or not to be\n";
    path_ = dir_.write("t.txt", text_);
    const Config config = resolve_config({.settings = {{"task.name=text"},
                                                       {"task.path='" + path_.string() + "'"},
                                                       {"task.length=4"},
                                                       {"model.d_model=16"},
                                                       {"train.batch=4"},
                                                       {"train.steps=5"},
                                                       {"train.eval_every=0"}}});
    run_until(config, run_, 3);
  }

  // As `eval` does.
  void check() const {
    const LoadedRun loaded = load_run(run_);
    check_data(loaded.config, data_digest(loaded.config), loaded.info);
  }

  TempDir dir_;
  std::string text_;
  fs::path path_;
  fs::path run_ = dir_ / "run";
};

TEST_F(ChangedData, IsNoticedOnResumeAndEvaluation) {
  EXPECT_NO_THROW(check());
  text_[100] = text_[100] == 'b' ? 'e' : 'b';  // the same characters, the same size
  write_bytes(path_, text_);
  const std::string message = "t.txt: this is not the file that the run was trained on.*put that";
  expect_error<IoError>([&] { check(); }, message);
  expect_error<IoError>([&] { go_on(run_); }, message);
}

TEST_F(ChangedData, IsNotNeededToGenerate) {
  fs::remove(path_);
  EXPECT_EQ(run_vocabulary(load_run(run_)).size(), 8);  // of "to be or not to be\n"
}

TEST_F(ChangedData, MayHaveMovedIfItIsTheSame) {
  fs::rename(path_, dir_ / "moved.txt");
  edit_config(run_, "t.txt", "moved.txt");
  EXPECT_NO_THROW(check());
  EXPECT_EQ(go_on(run_).steps, 5);
  dir_.write("moved.txt", text_ + "!");
  expect_error<IoError>([&] { check(); }, "moved.txt: this is not the file");
}

TEST(DataDigest, ATaskThatReadsNoFileHasNoDigest) { EXPECT_EQ(data_digest(tiny_run()), ""); }

// --- Other files ---------------------------------------------------------------------------------

TEST(DamagedMetrics, DoNotKeepARunFromGoingOn) {
  const TempDir dir;
  const std::string whole = run(tiny_run(), dir / "whole").digest;
  const fs::path run = stopped_run(dir);
  write_bytes(metrics_path(run), "damaged");
  EXPECT_EQ(go_on(run).digest, whole);
  EXPECT_EQ(bytes_of(run / "metrics.damaged.h5"), "damaged");
  EXPECT_EQ(Metrics::load(metrics_path(run)).training().front().step, 8);
  fs::remove(metrics_path(run));
  EXPECT_EQ(go_on(run).steps, 24);
}

TEST(RunLock, KeepsASecondProcessFromTrainingARun) {
  const TempDir dir;
  const fs::path run = stopped_run(dir);
  {
    const RunLock other(run);
    expect_error<IoError>([&] { go_on(run); }, "run: this run is being trained by another process");
    EXPECT_EQ(load_run(run).info.step, 7);  // it may be looked at
  }
  EXPECT_EQ(go_on(run).steps, 24);
}

TEST(RunLock, KeepsASecondProcessFromTheFolderOfARunThatBegins) {
  const TempDir dir;
  fs::create_directory(dir / "run");
  const RunLock other(dir / "run");
  expect_error<IoError>([&] { run(tiny_run(), dir / "run"); }, "being trained by another process");
}

// --- Stopping during a validation ----------------------------------------------------------------

TEST(StoppedValidation, IsGivenUpAndMadeAgainOnResume) {
  const TempDir dir;
  // The target is met by every model, so that the first validation, after step 4, ends the run.
  const Config c = tiny_run({{"train.eval_every=4"},
                             {"train.target_accuracy=1e-9"},
                             {"task.length=2"},
                             {"task.symbols=10"},
                             {"optimizer.lr=0.02"},
                             {"train.steps=300"}});
  const TrainSummary whole = run(c, dir / "whole");
  ASSERT_TRUE(whole.reached_target);
  // Stops in the very validation that reaches the target: asked once after each step, and then once
  // or more in a validation.
  TrainRequest request;
  request.config = c;
  request.folder = dir / "parts";
  request.threads = 2;
  std::atomic<bool> stop = false;
  std::atomic<Index> asked = 0;
  const Index in_validations = whole.steps / 4 - 1;  // made in full
  const auto task_rows = (Index{10} + 31) / 32;      // 10 of 100 prompts are held out: one chunk
  request.stop_requested = [&] {
    if (++asked > whole.steps - 1 + in_validations * task_rows) stop = true;
    return stop.load();
  };
  const TrainSummary part = train(request);
  EXPECT_TRUE(part.interrupted);
  EXPECT_FALSE(part.reached_target);
  EXPECT_FALSE(part.evaluation.has_value());
  EXPECT_EQ(part.steps, whole.steps);
  const auto rows_before = Metrics::load(metrics_path(dir / "parts")).validation().size();
  EXPECT_EQ(rows_before, static_cast<std::size_t>(in_validations));
  const TrainSummary rest = go_on(dir / "parts");
  EXPECT_EQ(rest.digest, whole.digest);
  EXPECT_EQ(Metrics::load(metrics_path(dir / "parts")).validation(),
            Metrics::load(metrics_path(dir / "whole")).validation());
}

TEST(StoppedValidation, EndsWithoutLookingAtTheRemainingRows) {
  const TempDir dir;
  TrainRequest request;
  request.config = tiny_run({{"train.steps=2"}, {"task.length=8"}, {"task.held_out=3200"}});
  request.folder = dir / "run";
  std::atomic<int> asked = 0;
  request.stop_requested = [&] { return ++asked > 10; };  // 2 steps, then of the 100 chunks
  const TrainSummary s = train(request);
  EXPECT_TRUE(s.interrupted);
  EXPECT_LE(asked, 12);
  EXPECT_EQ(s.steps, 2);
  EXPECT_EQ(go_on(dir / "run").evaluation.has_value(), true);
}

}  // namespace
}  // namespace tapehead
