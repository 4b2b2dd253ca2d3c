#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/stop_signals.h"
#include "app/documents/study_document.h"
#include "report/text_table.h"
#include "studies/study.h"
#include "studies/study_files.h"
#include "studies/study_registry.h"
#include "train/run_folder.h"

namespace tapehead::cli {

namespace {

struct StudyOptions {
  std::string name, run, out;
  bool quick = false, json = false;
  int threads = 1;
};

void list_studies(bool json) {
  Json list = Json::array();
  for (const StudyInfo& study : studies()) {
    list.push_back({{"name", study.name},
                    {"question", study.question},
                    {"needs_run", study.needs_run},
                    {"minutes", study.minutes}});
    if (!json) fmt::print("{:<16}{}\n", study.name, study.question);
  }
  if (json) print_json({{"studies", list}});
}

void check_run(const StudyInfo& study, const std::string& run) {
  if (study.needs_run && run.empty()) {
    throw ValueError(fmt::format(
        "study {}: looks at a trained run; name its folder: tapehead study {} runs/NAME",
        study.name, study.name));
  }
  if (!study.needs_run && !run.empty()) {
    throw ValueError(fmt::format("study {}: trains its own models, and '{}' was given beside it",
                                 study.name, run));
  }
}

// Its first rows: what was found is not to scroll away behind them.
void print_table(Table table, const std::filesystem::path& folder) {
  constexpr std::size_t kMostRows = 12;
  const std::size_t rows = table.rows.size();
  if (rows > kMostRows) table.rows.resize(kMostRows);
  fmt::print("{}", table_text(table));
  if (rows > kMostRows) {
    fmt::print("... {} more rows are in {} and on the page\n", rows - kMostRows,
               (folder / "study.h5").string());
  }
  fmt::print("\n");
}

void print_study(const StudyResult& r, const std::filesystem::path& folder) {
  fmt::print("{}: {}\n{}\n\n", r.study, question_text(r), r.settings);
  for (const std::string& finding : r.findings) fmt::print("- {}\n", finding);
  fmt::print("\nWhat does not follow: {}\n\n", r.limits);
  for (const Table& table : r.tables) print_table(table, folder);
  if (!folder.empty()) fmt::print("the study is in {}\n", folder.string());
}

// Without any argument but --json, the studies are listed.
bool is_list_wanted(const CLI::App& command) {
  return std::ranges::all_of(command.get_options(), [](const CLI::Option* option) {
    return option->count() == 0 || option->check_name("--json");
  });
}

void check_arguments(const StudyOptions& options, bool out_given) {
  if (options.name.empty()) {
    throw ValueError(
        "study: the name of the study is missing: tapehead study NAME; `tapehead study` lists "
        "them");
  }
  if (out_given && options.out.empty()) {
    throw ValueError("study: --out '' is no folder; name one, or leave --out away for a new one");
  }
}

int run_study(const StudyOptions& options) {
  const StudyInfo& study = find_study(options.name);
  check_run(study, options.run);
  const StopSignals signals;
  StudyRequest request;
  request.study = options.name;
  request.quick = options.quick;
  request.run = options.run;
  request.folder = options.out.empty() ? free_run_folder(options.name) : fs::path(options.out);
  request.threads = options.threads;
  request.progress = options.json ? stderr : stdout;
  request.stop_requested = [&signals] { return signals.received() != 0; };
  try {
    const StudyResult result = study.run(request);
    write_study(request.folder, result);
    const auto report = try_to_report(request.folder);
    if (options.json) {
      fmt::print("{}\n", to_json(result));
    } else {
      print_study(result, request.folder);
      if (report) fmt::print("the report is in {}\n", report->string());
    }
    return kSuccess;
  } catch (const StudyInterrupted&) {
    fmt::print(stderr, "interrupted; go on with: tapehead study {}{}{} --out {}\n", options.name,
               options.run.empty() ? "" : " " + options.run, options.quick ? " --quick" : "",
               request.folder.string());
    constexpr int kSignalled = 128;  // to which shells add the signal's number
    return kSignalled + signals.received();
  }
}

}  // namespace

void add_study(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command =
      app.add_subcommand("study", "answer a question about attention with tables and charts");
  command->footer(
      "Without a name, the studies are listed. Ctrl-C keeps the finished parts; the same command "
      "with --out FOLDER goes on.");
  command->add_option("NAME", options->name, "the study");
  command->add_option("RUN", options->run, "a trained run's folder, for the studies that need one");
  command->add_option("--out", options->out, "the study's folder (default: a new one in runs/)");
  command->add_flag("--quick", options->quick, "a minute's version: fewer cells, samples, steps");
  add_threads_option(*command, options->threads);
  command->add_flag("--json", options->json,
                    "progress on standard error, one JSON object on standard output");
  command->callback([options, command, &outcome] {
    if (is_list_wanted(*command)) return list_studies(options->json);
    check_arguments(*options, command->count("--out") > 0);
    outcome.exit_code = run_study(*options);
  });
}

}  // namespace tapehead::cli
