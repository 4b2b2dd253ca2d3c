#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tapehead::cli {

/// What is wrong with the command line that `app` could not parse, on one line, and on a second one
/// where help is to be had. A wrong word comes with the command or option that was likely meant.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tapehead::cli
