// parity FILE.h5 ... [--json]
//
// Runs the reference cases of each file in double and compares values and gradients. Exit code 0:
// no case failed; 1: a case failed; 2: wrong usage, or a file that is not of the format.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/parity/report.h"

namespace {

constexpr int kFailure = 1;
constexpr int kUsageError = 2;
constexpr const char* kUsage = "usage: parity FILE.h5 ... [--json]\n";

struct Arguments {
  std::vector<std::filesystem::path> files;
  bool json = false;
  std::string wrong;  // an option that does not exist
};

Arguments parse(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view value = values[i];
    if (value == "--json") {
      arguments.json = true;
    } else if (value.starts_with("-")) {
      arguments.wrong = value;
    } else {
      arguments.files.emplace_back(value);
    }
  }
  return arguments;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse(count, values);
  if (!arguments.wrong.empty() || arguments.files.empty()) {
    if (!arguments.wrong.empty()) {
      fmt::print(stderr, "parity: unknown option '{}'\n", arguments.wrong);
    }
    fmt::print(stderr, "{}", kUsage);
    return kUsageError;
  }
  try {
    const auto results = tapehead::parity::run_files(arguments.files);
    fmt::print("{}", arguments.json ? tapehead::parity::json_report(results)
                                    : tapehead::parity::table_report(results));
    return tapehead::parity::all_passed(results) ? 0 : kFailure;
  } catch (const std::exception& e) {
    fmt::print(stderr, "parity: {}\n", e.what());
    return kUsageError;
  }
}
