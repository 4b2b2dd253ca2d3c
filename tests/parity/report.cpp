#include "tests/parity/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tapehead::parity {

namespace {

Index count(const std::vector<CaseResult>& results, Status status) {
  return std::count_if(results.begin(), results.end(),
                       [status](const CaseResult& r) { return r.status == status; });
}

std::string table_line(const CaseResult& r, std::size_t case_width, std::size_t name_width) {
  const bool measured = r.status != Status::kNotCovered;
  return fmt::format(
      "{:<{}}  {:<{}}  {:>9}  {:>9}  {}\n", r.case_name, case_width, r.kind + " " + r.name,
      name_width, measured ? fmt::format("{:.2g}", r.max_abs_error) : "-",
      measured ? fmt::format("{:.2g}", r.max_rel_error) : "-", status_text(r.status));
}

nlohmann::ordered_json error_value(const CaseResult& r, double error) {
  if (r.status == Status::kNotCovered || !std::isfinite(error)) return nullptr;
  return error;
}

}  // namespace

bool all_passed(const std::vector<CaseResult>& results) {
  return count(results, Status::kFailed) == 0;
}

std::string table_report(const std::vector<CaseResult>& results) {
  std::size_t case_width = 4, name_width = 4;
  for (const CaseResult& r : results) {
    case_width = std::max(case_width, r.case_name.size());
    name_width = std::max(name_width, r.kind.size() + 1 + r.name.size());
  }
  std::string text = fmt::format("{:<{}}  {:<{}}  {:>9}  {:>9}  verdict\n", "case", case_width,
                                 "what", name_width, "absolute", "relative");
  for (const CaseResult& r : results) {
    text += table_line(r, case_width, name_width);
    if (!r.message.empty()) text += fmt::format("    {}\n", r.message);
  }
  return text + fmt::format("{} passed, {} failed, {} not covered\n",
                            count(results, Status::kPassed), count(results, Status::kFailed),
                            count(results, Status::kNotCovered));
}

std::string json_report(const std::vector<CaseResult>& results) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const CaseResult& r : results) {
    nlohmann::ordered_json entry = {
        {"file", r.file},
        {"case", r.case_name},
        {"kind", r.kind},
        {"name", r.name},
        {"status", r.status == Status::kFailed ? "failed" : status_text(r.status)},
        {"max_abs_error", error_value(r, r.max_abs_error)},
        {"max_rel_error", error_value(r, r.max_rel_error)}};
    if (!r.message.empty()) entry["message"] = r.message;
    cases.push_back(std::move(entry));
  }
  const nlohmann::ordered_json report = {{"cases", std::move(cases)},
                                         {"passed", all_passed(results)}};
  return report.dump(2) + "\n";
}

}  // namespace tapehead::parity
