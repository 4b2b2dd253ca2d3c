#include "studies/complexity.h"

#include <fmt/format.h>

#include "studies/complexity_layers.h"
#include "studies/complexity_report.h"
#include "studies/cpu_time.h"
#include "studies/study_cells.h"
#include "studies/study_registry.h"

namespace tapehead {

namespace {

constexpr int kComplexityVersion = 1;  // of what the cells' numbers mean
constexpr Index kTimeRounds = 3;       // also the seeds

struct ComplexitySizes {
  Index shortest, longest, longest_kept;
  double ms;  // that a time is measured for, at least
};

ComplexitySizes complexity_sizes(bool quick) {
  return quick ? ComplexitySizes{64, 2048, 2048, 30} : ComplexitySizes{64, 8192, 4096, 300};
}

std::vector<double> lengths_of(const ComparedLayer& layer, const ComplexitySizes& sizes) {
  std::vector<double> lengths;
  const Index last = layer.quadratic_memory ? sizes.longest_kept : sizes.longest;
  for (Index n = sizes.shortest; n <= last; n *= 2) lengths.push_back(static_cast<double>(n));
  return lengths;
}

// On one thread: no thread waits for another, and layers are compared by the work they make.
StudyCell time_cell(const ComparedLayer& layer, double length, Index round, double ms) {
  return {fmt::format("time layer={} length={} round={}", layer.name, length, round),
          [&layer, length, round, ms](int) {
            LayerPass pass(layer.name, static_cast<Index>(length),
                           static_cast<std::uint64_t>(round));
            return std::vector<double>{median_cpu_ms(ms, [&pass] { pass.run(); })};
          }};
}

StudyCell memory_cell(const ComparedLayer& layer, double length) {
  return {fmt::format("memory layer={} length={}", layer.name, length), [&layer, length](int) {
            LayerPass pass(layer.name, static_cast<Index>(length), 1);
            pass.run();
            return std::vector<double>{static_cast<double>(pass.peak_bytes())};
          }};
}

// Memory first, then the rounds one after the other: a machine that is busy for a while spoils one
// round of all layers rather than all rounds of one.
std::vector<StudyCell> complexity_cells(const ComplexitySizes& sizes) {
  std::vector<StudyCell> cells;
  for (const ComparedLayer& layer : compared_layers()) {
    for (const double n : lengths_of(layer, sizes)) cells.push_back(memory_cell(layer, n));
  }
  for (Index round = 1; round <= kTimeRounds; ++round) {
    for (const ComparedLayer& layer : compared_layers()) {
      for (const double n : lengths_of(layer, sizes)) {
        cells.push_back(time_cell(layer, n, round, sizes.ms));
      }
    }
  }
  return cells;
}

// The cells' numbers in the order of complexity_cells().
std::vector<LayerCost> costs_of(const std::vector<std::vector<double>>& numbers,
                                const ComplexitySizes& sizes) {
  std::vector<LayerCost> costs;
  std::size_t at = 0;
  for (const ComparedLayer& layer : compared_layers()) {
    LayerCost cost{std::string(layer.name), lengths_of(layer, sizes), {}, {}};
    for (std::size_t i = 0; i < cost.lengths.size(); ++i) {
      cost.bytes.push_back(numbers[at++].front());
    }
    costs.push_back(std::move(cost));
  }
  for (Index round = 1; round <= kTimeRounds; ++round) {
    for (LayerCost& cost : costs) {
      cost.ms.emplace_back();
      for (std::size_t i = 0; i < cost.lengths.size(); ++i) {
        cost.ms.back().push_back(numbers[at++].front());
      }
    }
  }
  return costs;
}

}  // namespace

StudyResult run_complexity(const StudyRequest& request) {
  const ComplexitySizes sizes = complexity_sizes(request.quick);
  const auto numbers =
      compute_cells(request, kComplexityVersion, complexity_cells(sizes), CellThreads::kAll);
  StudyResult result;
  result.study = "complexity";
  result.question = find_study(result.study).question;
  result.quick = request.quick;
  for (Index round = 1; round <= kTimeRounds; ++round) result.seeds.push_back(round);
  result.settings = fmt::format(
      "One layer of width 64, one sequence of {} to {} time steps, float32, forward and "
      "backward. Attention has projections, 4 heads and a causal mask, and either keeps its "
      "weights or computes them again block by block (tiled); conv has kernel size 3. Time: "
      "median processor time of at least 5 passes on one thread; ± is one standard error over {} "
      "rounds with weights and sequences of their own (seeds 1 to {}). Memory: peak of the "
      "tape's pool in one pass.",
      sizes.shortest, sizes.longest, kTimeRounds, kTimeRounds);
  report_complexity(costs_of(numbers, sizes), result);
  return result;
}

}  // namespace tapehead
