#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "train/config/config.h"

namespace tapehead {

/// The scales by name, with the settings that they are.
struct ScaleChoice {
  std::string_view name;
  /// model.scale for a head of this width; and model.qk_norm.
  AttentionScale (*scale)(Index d_k);
  bool qk_norm = false;
};
std::span<const ScaleChoice> scale_choices();
/// The one of that name, which must exist.
const ScaleChoice& find_scale(std::string_view name);

/// One training.
struct ScalingRun {
  std::string scale;  ///< of scale_choices()
  InitOptions::Scheme init = InitOptions::Scheme::kPytorch;
  Index d = 0, seed = 0;
};
Config scaling_config(const ScalingRun& run, Index steps);

/// What one training showed.
struct ScalingOutcome {
  double steps_to_90 = 0;  ///< NaN: not reached
  double accuracy = 0;     ///< of whole sequences, at the end
  double logit_std = 0;    ///< s at step 0, measured
  double iid_entropy = 0;  ///< what independent normal logits of that s would have
  /// At step 0 and then evenly to the end: one number each.
  std::vector<double> entropy, above_99;
  /// Norms of the gradient at W_Q at the same steps, but for step 0.
  std::vector<double> gradient;

  std::vector<double> numbers() const;
  static ScalingOutcome from_numbers(const std::vector<double>& numbers);
};
/// Records of a training beside that of step 0.
inline constexpr Index kScalingRecords = 40;
ScalingOutcome run_scaling(const ScalingRun& run, Index steps,
                           const std::function<bool()>& stop_requested);

/// The mean entropy, over queries that see 2, 3, ..., n keys, of softmax of independent N(0, s^2)
/// logits: the iid curve of the study of saturation under a causal mask.
double causal_iid_entropy(double s, Index n);

}  // namespace tapehead
