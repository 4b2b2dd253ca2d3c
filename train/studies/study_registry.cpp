#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/error.h"
#include "train/studies/complexity.h"
#include "train/studies/heads.h"
#include "train/studies/sharing.h"
#include "train/studies/study.h"

namespace tapehead {

std::span<const StudyInfo> studies() {
  static const std::vector<StudyInfo> kStudies = {
      {"complexity", "How do time and memory grow with the length of a sequence?", false, 2,
       run_complexity},
      {"heads", "What does each head of a trained run attend to, and what is lost without it?",
       true, 1, run_heads},
      {"sharing", "What does sharing keys, values and projections save, and what does it cost?",
       false, 10, run_sharing},
  };
  return kStudies;
}

const StudyInfo& find_study(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StudyInfo& study : studies()) {
    if (study.name == name) return study;
    names.push_back(study.name);
  }
  throw ValueError(
      fmt::format("there is no study '{}'; the studies are {}", name, fmt::join(names, ", ")));
}

}  // namespace tapehead
