#include <memory>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "studies/walkthrough.h"
#include "studies/walkthrough_file.h"

namespace tapehead::cli {

namespace {

struct WalkthroughOptions {
  std::string scale = "inv_sqrt";
  std::string input;
  bool json = false;
};

AttentionScale scale_of(const std::string& name) {
  using Kind = AttentionScale::Kind;
  if (name == "inv_sqrt") return {Kind::kInvSqrt};
  if (name == "none") return {Kind::kNone};
  if (name == "sqrt") return {Kind::kSqrt};
  throw ValueError(fmt::format(
      "walkthrough: --scale {}; it must be inv_sqrt, none or sqrt (a factor 1/sqrt(d_k), 1 or "
      "sqrt(d_k))",
      name));
}

Json rows_of(const Tensor<double>& matrix) {
  Json rows = Json::array();
  const Index columns = matrix.shape()[1];
  for (Index i = 0; i < matrix.shape()[0]; ++i) {
    rows.push_back(
        std::vector<double>(matrix.data() + i * columns, matrix.data() + (i + 1) * columns));
  }
  return rows;
}

void print_step(const WalkthroughStep& step) {
  const Index rows = step.value.shape()[0];
  const Index columns = step.value.shape()[1];
  fmt::print("{} = {}   {} x {}\n", step.name, step.formula, rows, columns);
  for (Index i = 0; i < rows; ++i) {
    fmt::print(" ");
    for (Index j = 0; j < columns; ++j) fmt::print(" {:10.6f}", step.value[i * columns + j]);
    fmt::print("\n");
  }
  fmt::print("\n");
}

void run_walkthrough(const WalkthroughOptions& options) {
  const AttentionScale scale = scale_of(options.scale);
  const WalkthroughInput input =
      options.input.empty() ? worked_example() : read_walkthrough(options.input);
  const std::vector<WalkthroughStep> steps = walk_through(input, scale);
  if (options.json) {
    Json object = {{"scale", options.scale}, {"factor", scale.factor(input.w_q.shape()[1])}};
    for (const WalkthroughStep& step : steps) object[step.name] = rows_of(step.value);
    print_json(object);
    return;
  }
  for (const WalkthroughStep& step : steps) print_step(step);
}

}  // namespace

void add_walkthrough(CLI::App& app, Outcome&) {
  auto options = std::make_shared<WalkthroughOptions>();
  CLI::App* command =
      app.add_subcommand("walkthrough", "compute one head of attention step by step");
  command->add_option("--scale", options->scale, "of the scores: inv_sqrt, none or sqrt")
      ->capture_default_str();
  command->add_option("--input", options->input,
                      "X, W_Q, W_K, W_V: an HDF5 file, or a CSV file in which each matrix follows "
                      "a line with its name; without: the worked example");
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options] { run_walkthrough(*options); });
}

}  // namespace tapehead::cli
