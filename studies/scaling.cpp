#include "studies/scaling.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/scaling_findings.h"
#include "studies/scaling_outcomes.h"
#include "studies/scaling_run.h"
#include "studies/scaling_tables.h"
#include "studies/study_cells.h"
#include "train/config/words.h"

namespace tapehead {

namespace {

// What the numbers of a cell mean; a finished cell of another version is computed again.
constexpr int kScalingVersion = 1;

struct ScalingPlan {
  std::vector<std::string> scales;
  std::vector<Index> widths, seeds;

  // Wide models learn the task in fewer steps, which take longer.
  Index steps(Index d) const { return d >= 256 ? 400 : 1000; }
};

ScalingPlan scaling_plan(bool quick) {
  if (quick) return {{"none", "inv_sqrt", "learned"}, {16, 64}, {1, 2, 3}};
  ScalingPlan plan{{}, {16, 64, 256}, {1, 2, 3, 4, 5}};
  for (const ScaleChoice& choice : scale_choices()) plan.scales.emplace_back(choice.name);
  return plan;
}

using Init = InitOptions::Scheme;
constexpr std::array<Init, 2> kInits = {Init::kPytorch, Init::kUnitQueriesAndKeys};

// In the order of the outcomes; the longest trainings first.
std::vector<ScalingSetting> scaling_settings(const ScalingPlan& plan) {
  std::vector<ScalingSetting> settings;
  std::vector<Index> widths = plan.widths;
  std::ranges::sort(widths, std::greater<>());
  for (const Index d : widths) {
    for (const Init init : kInits) {
      for (const std::string& scale : plan.scales) {
        settings.push_back({scale, init, d, plan.steps(d), {}});
      }
    }
  }
  return settings;
}

void run_settings(const StudyRequest& request, const ScalingPlan& plan,
                  std::vector<ScalingSetting>& settings) {
  std::vector<StudyCell> cells;
  for (const ScalingSetting& s : settings) {
    for (const Index seed : plan.seeds) {
      const ScalingRun run{s.scale, s.init, s.d, seed};
      cells.push_back(
          {fmt::format("d_k={} init={} scale={} seed={}", s.d, name_of(s.init), s.scale, seed),
           [run, steps = s.steps, &request](int) {
             return run_scaling(run, steps, request.stop_requested).numbers();
           }});
    }
  }
  const auto numbers = compute_cells(request, kScalingVersion, cells);
  auto of_cell = numbers.begin();
  for (ScalingSetting& s : settings) {
    for (std::size_t i = 0; i < plan.seeds.size(); ++i) {
      s.seeds.push_back(ScalingOutcome::from_numbers(*of_cell++));
    }
  }
}

std::string settings_text(const ScalingPlan& plan) {
  const Config c = scaling_config({"inv_sqrt", Init::kPytorch, plan.widths.front(), 1}, 1);
  return fmt::format(
      "decoder of 1 block with 1 head, so that d_k is the width of the model, d_ff the same; task "
      "copy, {} of {} symbols; AdamW, learning rate {} after {} steps, constant; batch {}; {} "
      "steps, {} for d_k = 256; scale {}; d_k = {}; W_Q and W_K as in PyTorch (entries of q, k "
      "have "
      "variance 1/3) or unit_qk (1); validation on {} rows every {} steps; seeds {}; "
      "numbers are mean ± standard error",
      c.task.length, c.task.symbols, c.optimizer.lr, c.optimizer.warmup, c.train.batch,
      plan.steps(64), plan.steps(256), fmt::join(plan.scales, ", "), fmt::join(plan.widths, ", "),
      c.train.eval_rows, c.train.eval_every, fmt::join(plan.seeds, ", "));
}

}  // namespace

StudyResult run_scaling_study(const StudyRequest& request) {
  const ScalingPlan plan = scaling_plan(request.quick);
  std::vector<ScalingSetting> settings = scaling_settings(plan);
  run_settings(request, plan, settings);
  std::ranges::stable_sort(settings, {}, &ScalingSetting::d);
  StudyResult study;
  study.study = "scaling";
  study.question = "Does attention need the scale 1/sqrt(d_k) to learn?";
  study.settings = settings_text(plan);
  study.quick = request.quick;
  study.seeds = plan.seeds;
  study.findings = scaling_findings(settings);
  study.limits =
      "one small task that one attention layer can solve by position alone, one learning rate for "
      "all, one layer, heads as wide as the model. Deeper models have other ways around a frozen "
      "layer, and a tuned learning rate may make up for some of the scale.";
  study.tables = scaling_tables(settings);
  study.charts = scaling_charts(settings);
  return study;
}

}  // namespace tapehead
