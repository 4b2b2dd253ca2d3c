#pragma once

#include <exception>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/types.h"

namespace tapehead::cli {

/// Keys keep the order in which they were set.
using Json = nlohmann::ordered_json;

// Exit codes of the program.
inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  ///< something did not work: a check failed, a file is damaged
inline constexpr int kUsage = 2;    ///< what was asked for makes no sense

/// What a command leaves behind; main() returns it.
struct Outcome {
  int exit_code = kSuccess;
};

// Each adds one subcommand.
void add_bench(CLI::App& app, Outcome& outcome);
void add_eval(CLI::App& app, Outcome& outcome);
void add_generate(CLI::App& app, Outcome& outcome);
void add_gradcheck(CLI::App& app, Outcome& outcome);
void add_info(CLI::App& app, Outcome& outcome);
void add_report(CLI::App& app, Outcome& outcome);
void add_study(CLI::App& app, Outcome& outcome);
void add_tasks(CLI::App& app, Outcome& outcome);
void add_train(CLI::App& app, Outcome& outcome);
void add_walkthrough(CLI::App& app, Outcome& outcome);

/// Prints one JSON object, on one line. NaN and infinities, which JSON does not have, become null.
void print_json(const Json& json);

/// Writes report.html into the folder of a run or of a study, which is complete without: a failure
/// is only warned of. The file's path, or nothing if it failed.
std::optional<std::filesystem::path> try_to_report(const std::filesystem::path& folder);

/// Adds --threads; the default is the number of processors that this process may use.
void add_threads_option(CLI::App& command, int& threads);

/// For transform(): refuses what is not a whole number in [low, high], naming value and range.
CLI::Validator whole_number(Index low, Index high = std::numeric_limits<Index>::max());
/// For transform(): refuses what is not a finite number in [low, high].
CLI::Validator real_number(double low, double high = std::numeric_limits<double>::infinity());

}  // namespace tapehead::cli
