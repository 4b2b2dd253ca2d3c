#include <memory>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/documents/report_document.h"
#include "report/report.h"
#include "report/svg.h"
#include "train/run_folder.h"

namespace tapehead::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string out, svg;
  bool ascii = false, json = false;
};

// Beside what it is about; in the current folder if it is about several things.
fs::path report_path(const ReportOptions& options) {
  if (!options.out.empty()) return options.out;
  return options.folders.size() == 1 ? fs::path(options.folders.front()) / "report.html"
                                     : fs::path("report.html");
}

// For check(): an empty name would pass for an option that is not there.
std::string refuse_empty(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

void report(const ReportOptions& options) {
  const std::vector<fs::path> folders(options.folders.begin(), options.folders.end());
  const Document document = report_document(folders);
  for (const std::string& warning : document.warnings) {
    fmt::print(stderr, "warning: {}\n", warning);
  }
  const fs::path path = report_path(options);
  write_report(path, document);
  std::vector<std::string> pictures;
  if (!options.svg.empty()) {
    for (const fs::path& picture : write_svgs(options.svg, document)) {
      pictures.push_back(picture.string());
    }
  }
  if (options.json) {
    print_json({{"report", path.string()}, {"pictures", pictures}});
    return;
  }
  if (options.out.empty()) {
    fmt::print("{}", terminal_view(document, options.ascii ? TextStyle::kAscii : terminal_style()));
  }
  if (!pictures.empty()) fmt::print("{} pictures are in {}\n", pictures.size(), options.svg);
  fmt::print("the report is in {}\n", path.string());
}

}  // namespace

void add_report(CLI::App& app, Outcome&) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "show runs and studies as a page, as pictures, as text");
  command->footer(
      "The page is one file that any browser opens. Without -o it is written as report.html beside "
      "what it is about (of several things: here), and the terminal shows the most of it.");
  command->add_option("FOLDER", options->folders, "folders of runs and studies")->required();
  command->add_option("-o,--out", options->out, "the HTML file to write")->check(refuse_empty);
  command->add_option("--svg", options->svg, "a folder: write each picture there as an SVG file")
      ->check(refuse_empty);
  command->add_flag("--ascii", options->ascii, "plain ASCII on the terminal");
  command->add_flag("--json", options->json, "print the paths as one JSON object");
  command->callback([options] { report(*options); });
}

}  // namespace tapehead::cli
