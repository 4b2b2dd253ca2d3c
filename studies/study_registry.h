#pragma once

#include <span>
#include <string_view>

#include "studies/study.h"

namespace tapehead {

/// A study by its name.
struct StudyInfo {
  std::string_view name, question;
  bool needs_run = false;
  /// Minutes that the whole study takes on two cores of 2023.
  int minutes = 1;
  StudyResult (*run)(const StudyRequest& request);
};

/// All studies, in the order of presentation.
std::span<const StudyInfo> studies();
/// Throws ValueError, listing the names, if there is none of this name.
const StudyInfo& find_study(std::string_view name);

}  // namespace tapehead
