#include "studies/study_registry.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "studies/complexity.h"
#include "studies/distance.h"
#include "studies/heads.h"
#include "studies/order.h"
#include "studies/positions.h"
#include "studies/receptive_field.h"
#include "studies/saturation.h"
#include "studies/scaling.h"
#include "studies/sharing.h"

namespace tapehead {

std::span<const StudyInfo> studies() {
  static const std::vector<StudyInfo> kStudies = {
      {"saturation", "Do gradients vanish if attention's dot products are not scaled?", false, 5,
       run_saturation_study},
      {"scaling", "Does attention need the scale 1/sqrt(d_k) to learn?", false, 8,
       run_scaling_study},
      {"distance", "How far back can a fact stand, for attention and for networks without it?",
       false, 5, run_distance_study},
      {"order", "What can a model tell of the order of its input, by the kind of positions?", false,
       4, run_order_study},
      {"heads", "What does each head of a trained run attend to, and what is lost without it?",
       true, 1, run_heads},
      {"sharing", "What does sharing keys, values and projections save, and what does it cost?",
       false, 6, run_sharing},
      {"complexity", "How do time and memory grow with the length of a sequence?", false, 2,
       run_complexity},
      {"positions", "How right is a model on longer sequences than it was trained on?", false, 12,
       run_positions_study},
      {"receptive-field",
       "How far does attention learn to look, where a convolution sees a fixed field?", false, 4,
       run_receptive_field_study},
  };
  return kStudies;
}

const StudyInfo& find_study(std::string_view name) {
  std::vector<std::string> names;
  for (const StudyInfo& study : studies()) {
    if (study.name == name) return study;
    names.emplace_back(study.name);
  }
  const std::string nearest = nearest_word(name, names);
  throw ValueError(
      fmt::format("there is no study '{}'; the studies are {}{}", name, fmt::join(names, ", "),
                  nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace tapehead
