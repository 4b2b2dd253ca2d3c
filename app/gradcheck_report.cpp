#include "app/gradcheck_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/gradcheck.h"
#include "autograd/ops/op_cases.h"
#include "base/error.h"
#include "base/nearest_word.h"
#include "layers/layer_cases.h"

namespace tapehead {

namespace {

bool wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void check_names(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Op op : kAllOps) known.emplace_back(op_name(op));
  for (const std::string_view layer : layer_names()) {
    // Some names are those of an op and of a layer; checking one checks both.
    if (std::find(known.begin(), known.end(), layer) == known.end()) known.emplace_back(layer);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string meant = nearest_word(name, known);
      const std::string hint = meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant);
      throw ValueError(fmt::format("gradcheck: there is no op or layer '{}'{} There are: {}", name,
                                   meant.empty() ? "." : hint, fmt::join(known, ", ")));
    }
  }
}

GradcheckEntry check_entry(std::string name, std::string kind, const std::vector<GradCase>& cases,
                           Op op) {
  GradcheckEntry entry;
  entry.name = std::move(name);
  entry.kind = std::move(kind);
  for (const GradCase& c : cases) {
    const GradReport report = check_gradients(entry.name, c, op);
    ++entry.cases;
    entry.max_error = std::isnan(report.max_error) ? report.max_error
                                                   : std::max(entry.max_error, report.max_error);
    if (!report.passed) {
      entry.failures.push_back(fmt::format("{}: {}", report.case_name, report.message));
    }
  }
  if (cases.empty()) entry.failures.emplace_back("there are no cases");
  entry.passed = entry.failures.empty();
  return entry;
}

}  // namespace

std::vector<GradcheckEntry> run_gradcheck(const std::vector<std::string>& names) {
  check_names(names);
  std::vector<GradcheckEntry> entries;
  for (const Op op : kAllOps) {
    if (wanted(names, op_name(op))) {
      entries.push_back(check_entry(op_name(op), "op", grad_cases(op), op));
    }
  }
  for (const std::string_view layer : layer_names()) {
    if (wanted(names, layer)) {
      entries.push_back(
          check_entry(std::string(layer), "layer", layer_grad_cases(layer), Op::custom));
    }
  }
  return entries;
}

std::string gradcheck_table(const std::vector<GradcheckEntry>& entries) {
  std::string table =
      fmt::format("{:<20} {:<6} {:>6} {:>14}  verdict\n", "name", "kind", "cases", "largest error");
  std::size_t failed = 0;
  for (const GradcheckEntry& e : entries) {
    table += fmt::format("{:<20} {:<6} {:>6} {:>14.2e}  {}\n", e.name, e.kind, e.cases, e.max_error,
                         e.passed ? "passed" : "FAILED");
    for (const std::string& failure : e.failures) table += fmt::format("    {}\n", failure);
    failed += e.passed ? 0 : 1;
  }
  table += fmt::format("{} checked, {} failed\n", entries.size(), failed);
  return table;
}

}  // namespace tapehead
