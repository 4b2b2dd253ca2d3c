#include "tests/parity/runner.h"

#include <fmt/format.h>

#include "base/error.h"
#include "tests/parity/comparison.h"
#include "tests/parity/layer_cases.h"
#include "tests/parity/op_cases.h"
#include "tests/parity/train_cases.h"

namespace tapehead::parity {

namespace {

void run_from_table(const ParityCase& parity_case, const CaseTable& table, Comparison& result) {
  const auto found = table.find(parity_case.name());
  if (found == table.end()) {
    throw NotCovered(fmt::format("{} '{}' is not built", parity_case.kind(), parity_case.name()));
  }
  CaseRun run(parity_case);
  run.compare(found->second(run), result);
}

void run_by_kind(const ParityCase& parity_case, Comparison& result) {
  if (parity_case.kind() == "op") {
    run_from_table(parity_case, op_cases(), result);
  } else if (parity_case.kind() == "layer") {
    run_from_table(parity_case, layer_cases(), result);
  } else if (parity_case.kind() == "train") {
    run_train_case(parity_case, result);
  } else {
    throw NotCovered(fmt::format("cases of kind '{}' are not known", parity_case.kind()));
  }
}

}  // namespace

const char* status_text(Status status) {
  switch (status) {
    case Status::kPassed:
      return "passed";
    case Status::kFailed:
      return "FAILED";
    case Status::kNotCovered:
      return "not covered";
  }
  return "";
}

CaseResult run_case(const ParityCase& parity_case) {
  CaseResult result;
  result.case_name = parity_case.group();
  result.kind = parity_case.kind();
  result.name = parity_case.name();
  Comparison comparison(parity_case.kind() == "train" ? kTrainingBound : kBound);
  try {
    run_by_kind(parity_case, comparison);
  } catch (const NotCovered& e) {
    result.status = Status::kNotCovered;
    result.message = e.what();
    return result;
  } catch (const IoError&) {
    throw;  // the file's fault
  } catch (const Error& e) {
    comparison.fail(e.what());
  }
  result.max_abs_error = comparison.max_abs_error();
  result.max_rel_error = comparison.max_rel_error();
  result.message = comparison.failure();
  if (!result.message.empty()) result.status = Status::kFailed;
  return result;
}

std::vector<CaseResult> run_files(const std::vector<std::filesystem::path>& files) {
  std::vector<CaseResult> results;
  for (const std::filesystem::path& path : files) {
    const ParityFile file(path);
    for (const ParityCase& parity_case : file.cases()) {
      results.push_back(run_case(parity_case));
      results.back().file = path.string();
    }
  }
  return results;
}

}  // namespace tapehead::parity
