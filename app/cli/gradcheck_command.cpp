#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/gradcheck_report.h"

namespace tapehead::cli {

namespace {

struct GradcheckOptions {
  std::vector<std::string> names;
  bool json = false;
};

int gradcheck(const GradcheckOptions& options) {
  const std::vector<GradcheckEntry> entries = run_gradcheck(options.names);
  const bool passed =
      std::all_of(entries.begin(), entries.end(), [](const auto& e) { return e.passed; });
  if (options.json) {
    Json list = Json::array();
    for (const GradcheckEntry& e : entries) {
      list.push_back({{"name", e.name},
                      {"kind", e.kind},
                      {"cases", e.cases},
                      {"max_error", e.max_error},
                      {"passed", e.passed}});
    }
    print_json({{"entries", list}, {"passed", passed}});
  } else {
    fmt::print("{}", gradcheck_table(entries));
  }
  return passed ? kSuccess : kFailure;
}

}  // namespace

void add_gradcheck(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<GradcheckOptions>();
  CLI::App* command = app.add_subcommand(
      "gradcheck", "check the backward pass of every op and layer against finite differences");
  command->add_option("NAME", options->names, "ops and layers to check; all if none is named");
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options, &outcome] { outcome.exit_code = gradcheck(*options); });
}

}  // namespace tapehead::cli
