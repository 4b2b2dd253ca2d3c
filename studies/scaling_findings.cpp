#include "studies/scaling_findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "figures/number_text.h"
#include "studies/scaling_outcomes.h"
#include "train/config/words.h"

namespace tapehead {

namespace {

using Init = InitOptions::Scheme;

double last_of(const std::vector<double>& series) { return series.back(); }

// When 90 % are reached.
std::string steps_text(const ScalingSetting& s) {
  const std::vector<double> steps = steps_reached(s);
  if (steps.empty()) {
    return fmt::format("in none of {} seeds within {} steps", s.seeds.size(), s.steps);
  }
  return fmt::format("after {} steps in {}/{} seeds", cell_text(estimate(steps)), steps.size(),
                     s.seeds.size());
}

std::string estimate_of(const ScalingSetting& s, const OutcomeNumber& number) {
  return cell_text(estimate_over(s, number));
}

// In how many seeds `a` reaches 90 % later than `b`, or not at all.
std::size_t seeds_slower(const ScalingSetting& a, const ScalingSetting& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.seeds.size(); ++i) {
    const double x = a.seeds[i].steps_to_90, y = b.seeds[i].steps_to_90;
    if (!std::isnan(y) && (std::isnan(x) || x > y)) ++count;
  }
  return count;
}

std::string start_finding(const std::vector<ScalingSetting>& settings, Index d, Init init) {
  const ScalingSetting& s = find_setting(settings, d, init, "none");
  return fmt::format(
      "Step 0, d_k = {}, {}, no scale: logits of standard deviation s = {}, entropy {} nats where "
      "independent normal logits of that s would have {}, a weight above 0.99 for {} of the "
      "queries.",
      d, name_of(init), estimate_of(s, [](const auto& o) { return o.logit_std; }),
      estimate_of(s, [](const auto& o) { return o.entropy.front(); }),
      estimate_of(s, [](const auto& o) { return o.iid_entropy; }),
      estimate_of(s, [](const auto& o) { return o.above_99.front(); }));
}

std::string speed_finding(const std::vector<ScalingSetting>& settings, Index d, Init init) {
  const ScalingSetting& none = find_setting(settings, d, init, "none");
  const ScalingSetting& scaled = find_setting(settings, d, init, "inv_sqrt");
  return fmt::format(
      "d_k = {}, {} (s = {} at step 0 without the scale): without it 90 % are reached {}, with "
      "1/sqrt(d_k) {}; without is slower in {}/{} seeds.",
      d, name_of(init), estimate_of(none, [](const auto& o) { return o.logit_std; }),
      steps_text(none), steps_text(scaled), seeds_slower(none, scaled), none.seeds.size());
}

std::string repair_finding(const std::vector<ScalingSetting>& settings, Index d) {
  const ScalingSetting& s = find_setting(settings, d, Init::kUnitQueriesAndKeys, "none");
  const std::size_t reached = steps_reached(s).size();
  const char* verdict = reached == s.seeds.size() ? "repairs"
                        : reached == 0            ? "does not repair"
                                                  : "does not always repair";
  return fmt::format(
      "Training {} it within {} steps (d_k = {}, unit_qk, no scale): {} of whole sequences are "
      "right at the end; the entropy goes from {} to {} nats, the share of queries with a weight "
      "above 0.99 from {} to {}.",
      verdict, s.steps, d, estimate_of(s, [](const auto& o) { return o.accuracy; }),
      estimate_of(s, [](const auto& o) { return o.entropy.front(); }),
      estimate_of(s, [](const auto& o) { return last_of(o.entropy); }),
      estimate_of(s, [](const auto& o) { return o.above_99.front(); }),
      estimate_of(s, [](const auto& o) { return last_of(o.above_99); }));
}

std::string others_finding(const std::vector<ScalingSetting>& settings, Index d) {
  std::string text;
  for (const ScalingSetting& s : settings) {
    if (s.d != d || s.init != Init::kUnitQueriesAndKeys || s.scale == "none" ||
        s.scale == "inv_sqrt")
      continue;
    text += fmt::format("{} {} {}", text.empty() ? "" : ";", s.scale, steps_text(s));
  }
  return fmt::format("Other scales, d_k = {}, unit_qk, reach 90 %:{}.", d, text);
}

std::string gradient_finding(const std::vector<ScalingSetting>& settings, Index d) {
  std::string text;
  for (const char* scale : {"none", "inv_sqrt"}) {
    const ScalingSetting& s = find_setting(settings, d, Init::kUnitQueriesAndKeys, scale);
    const auto [median, high] = gradient_quantiles(s, 0);
    text += fmt::format("{} {}: median {}, 90th percentile {}", text.empty() ? "" : ";", scale,
                        number_text(median), number_text(high));
  }
  return fmt::format(
      "Norm of the gradient at W_Q in the first quarter of the training, all seeds, d_k = {}, "
      "unit_qk:{}.",
      d, text);
}

}  // namespace

std::vector<std::string> scaling_findings(const std::vector<ScalingSetting>& settings) {
  const Index wide = widest_head(settings), narrow = narrowest_head(settings);
  std::vector<std::string> findings;
  for (const Init init : {Init::kUnitQueriesAndKeys, Init::kPytorch}) {
    findings.push_back(start_finding(settings, wide, init));
  }
  for (const Index d : {wide, narrow}) {
    for (const Init init : {Init::kUnitQueriesAndKeys, Init::kPytorch}) {
      findings.push_back(speed_finding(settings, d, init));
    }
  }
  findings.push_back(repair_finding(settings, wide));
  findings.push_back(others_finding(settings, wide));
  findings.push_back(gradient_finding(settings, wide));
  return findings;
}

}  // namespace tapehead
