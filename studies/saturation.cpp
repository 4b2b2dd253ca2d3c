#include "studies/saturation.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/saturation_findings.h"
#include "studies/saturation_results.h"
#include "studies/saturation_tables.h"

namespace tapehead {

namespace {

// What the numbers of a cell mean; a finished cell of another version is computed again.
constexpr int kSaturationVersion = 1;

struct SaturationPlan {
  std::vector<UnitCell> units;
  std::vector<CurveCell> curve;
  std::vector<InitCell> initialised;
};

SaturationPlan saturation_plan(bool quick) {
  const Index rows = quick ? 2000 : 20000;
  // Initialisers draw a matrix for every row, and each says one thing: where s begins.
  const Index init_rows = quick ? 400 : 4000;
  const std::vector<Index> widths = quick
                                        ? std::vector<Index>{1024, 256, 64, 16}
                                        : std::vector<Index>{2048, 1024, 512, 256, 128, 64, 32, 16};
  const std::vector<double> spreads =
      quick ? std::vector<double>{0.5, 1, 2, 3, 4, 6, 12, 48}
            : std::vector<double>{0.125, 0.25, 0.5, 0.75, 1, 1.5, 2,  2.5, 3,  3.5,
                                  4,     4.5,  5,   6,    8, 12,  16, 24,  32, 48};
  SaturationPlan plan;
  for (const Index d :
       widths) {  // the longest first, so that no thread is left with one at the end
    for (const Index n : {Index{256}, Index{64}, Index{16}}) plan.units.push_back({n, d, rows});
  }
  for (const Index n : {Index{16}, Index{64}, Index{256}}) {
    for (const double s : spreads) plan.curve.push_back({n, s, rows});
  }
  for (const Index d : {Index{32}, Index{64}, Index{128}}) {
    if (quick && d != kShownKeys) continue;
    for (const char* init : {"unit", "pytorch", "xavier", "normal_0.02"}) {
      plan.initialised.push_back({init, 128, kShownKeys, d, init_rows});
    }
    if (!quick) plan.initialised.push_back({"normal_0.02", 768, kShownKeys, d, init_rows});
  }
  return plan;
}

SaturationResults compute_saturation(const StudyRequest& request, const SaturationPlan& plan) {
  std::vector<StudyCell> cells;
  for (const auto& c : plan.units) cells.push_back(unit_cell(c, request.stop_requested));
  for (const auto& c : plan.curve) cells.push_back(curve_cell(c, request.stop_requested));
  for (const auto& c : plan.initialised) cells.push_back(init_cell(c, request.stop_requested));
  const auto numbers = compute_cells(request, kSaturationVersion, cells);

  SaturationResults results;
  auto of_cell = numbers.begin();
  for (const UnitCell& c : plan.units) {
    for (std::size_t part = 0; part < 4; ++part) {
      results.units.push_back({c.n, c.d, part % 2 == 1, part >= 2, summary_of(*of_cell, part)});
    }
    ++of_cell;
  }
  for (const CurveCell& c : plan.curve) {
    results.curve.push_back({c.n, c.s, summary_of(*of_cell++, 0)});
  }
  for (const InitCell& c : plan.initialised) {
    results.initialised.push_back({c, false, summary_of(*of_cell, 0)});
    results.initialised.push_back({c, true, summary_of(*of_cell++, 1)});
  }
  std::ranges::stable_sort(results.units, {}, [](const SaturationResults::Unit& u) {
    return std::tuple(u.scaled, u.is_float, u.n, u.d);
  });
  return results;
}

std::string saturation_settings(const SaturationPlan& plan, const SaturationResults& results) {
  return fmt::format(
      "q and the n keys have independent entries N(0, 1) and go through the library's attention, "
      "with gradient u ~ N(0, I) of the weights; n = {}; d_k = {}; scale 1 (none) or 1/sqrt(d_k) "
      "(inv_sqrt); the same queries and keys in double and rounded to float; {} rows a cell, a "
      "quarter of each seed, no reduction of q or K; denormal numbers count as zero, as in "
      "training. The curve has logits N(0, s^2) from queries and keys of width 1. Initialisers: "
      "{} rows, weights drawn anew for each, normalised inputs of width 128 or 768. Seeds {}; "
      "numbers are mean ± standard error.",
      fmt::join(results.key_counts(), ", "), fmt::join(results.widths(), ", "),
      plan.units.front().rows, plan.initialised.front().rows, fmt::join(kSaturationSeeds, ", "));
}

}  // namespace

StudyResult run_saturation_study(const StudyRequest& request) {
  const SaturationPlan plan = saturation_plan(request.quick);
  const SaturationResults results = compute_saturation(request, plan);
  StudyResult study;
  study.study = "saturation";
  study.question = "Do gradients vanish if attention's dot products are not scaled?";
  study.settings = saturation_settings(plan, results);
  study.quick = request.quick;
  study.seeds.assign(kSaturationSeeds.begin(), kSaturationSeeds.end());
  study.findings = saturation_findings(results);
  study.limits =
      "queries and keys are random and independent, as they are at best before training; a "
      "trained model aligns them, and in self-attention a position's own key is not independent "
      "of its query. The gradient of the weights is white noise; a real one is not. Whether it "
      "slows training down is another question, which the study 'scaling' asks.";
  study.tables = saturation_tables(results);
  study.charts = saturation_charts(results);
  return study;
}

}  // namespace tapehead
