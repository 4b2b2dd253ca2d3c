#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/error.h"
#include "train/studies/saturation.h"
#include "train/studies/scaling.h"
#include "train/studies/study.h"

namespace tapehead {

std::span<const StudyInfo> studies() {
  static const std::vector<StudyInfo> kStudies = {
      {"saturation", "Do gradients vanish if attention's dot products are not scaled?", false, 5,
       run_saturation_study},
      {"scaling", "Does attention need the scale 1/sqrt(d_k) to learn?", false, 8,
       run_scaling_study},
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
