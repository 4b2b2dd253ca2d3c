#include "app/cli/command.h"

#include <omp.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include "app/documents/report_document.h"
#include "report/report.h"

namespace tapehead::cli {

namespace {

// Reads all of `text`, unlike strtoll() no octal or hexadecimal number, and no more than fits.
template <typename Number>
bool read_number(std::string_view text, Number& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

void print_json(const Json& json) { fmt::print("{}\n", json.dump()); }

std::optional<std::filesystem::path> try_to_report(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "report.html";
  try {
    write_report(path, report_document(std::vector{folder}));
    return path;
  } catch (const std::exception& e) {
    fmt::print(stderr, "warning: the report was not written: {}\n", e.what());
    return std::nullopt;
  }
}

CLI::Validator whole_number(Index low, Index high) {
  const auto check = [low, high](std::string& text) -> std::string {
    Index value = 0;
    if (!read_number(text, value) || value < low || value > high) {
      return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
    }
    text = fmt::format("{}", value);  // CLI11 would read a leading 0 as octal
    return {};
  };
  const bool bounded = high != std::numeric_limits<Index>::max();
  return {check, fmt::format("[{}..{}]", low, bounded ? fmt::format("{}", high) : "")};
}

CLI::Validator real_number(double low, double high) {
  const bool bounded = std::isfinite(high);
  const std::string range =
      fmt::format("from {}{}", low, bounded ? fmt::format(" to {}", high) : "");
  const auto check = [low, high, range](std::string& text) -> std::string {
    double value = 0;
    if (read_number(text, value) && std::isfinite(value) && value >= low && value <= high) {
      return {};
    }
    return fmt::format("'{}' is not a finite number {}", text, range);
  };
  return {check, fmt::format("[{}..{}]", low, bounded ? fmt::format("{}", high) : "")};
}

void add_threads_option(CLI::App& command, int& threads) {
  threads = omp_get_num_procs();
  constexpr int kMostThreads = 1024;  // more is a typing mistake
  command.add_option("--threads", threads, "threads to compute with; changes no bit of any result")
      ->transform(whole_number(1, kMostThreads))
      ->capture_default_str();
}

}  // namespace tapehead::cli
