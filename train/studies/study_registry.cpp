#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/error.h"
#include "train/studies/distance.h"
#include "train/studies/order.h"
#include "train/studies/positions.h"
#include "train/studies/receptive_field.h"
#include "train/studies/study.h"

namespace tapehead {

std::span<const StudyInfo> studies() {
  static const std::vector<StudyInfo> kStudies = {
      {"distance", "How far back can a fact stand, for attention and for networks without it?",
       false, 5, run_distance_study},
      {"order", "What can a model tell of the order of its input, by the kind of positions?", false,
       4, run_order_study},
      {"positions", "How right is a model on longer sequences than it was trained on?", false, 15,
       run_positions_study},
      {"receptive-field",
       "How far does attention learn to look, where a convolution sees a fixed field?", false, 4,
       run_receptive_field_study}};
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
