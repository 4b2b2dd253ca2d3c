#include "studies/study_models.h"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "train/config/build_task.h"
#include "train/parameter_shapes.h"

namespace tapehead {

namespace {

Index count_parameters(const Config& config, const ModelSizes& sizes) {
  return static_cast<Index>(parameter_shapes(config, sizes).count());
}

}  // namespace

Index parameter_count(const Config& config) {
  return count_parameters(config, model_sizes(*build_task(config)));
}

Index matching_width(Config config, Index parameters, Index multiple,
                     const std::function<void(Config&, Index)>& set_width) {
  const ModelSizes sizes = model_sizes(*build_task(config));
  Index best = multiple, best_difference = 0;
  for (Index width = multiple;; width += multiple) {
    set_width(config, width);
    const Index count = count_parameters(config, sizes);
    const Index difference = std::abs(count - parameters);
    if (width == multiple || difference < best_difference) {
      best = width;
      best_difference = difference;
    }
    if (count >= parameters) return best;  // the count only grows from here
  }
}

TrainedModel train_for_study(const Config& config, int threads, const StudyRequest& request) {
  TrainedModel trained = train_in_memory(config, threads, request.stop_requested);
  if (trained.summary.interrupted) throw StudyInterrupted();
  return trained;
}

Estimate estimate_cells(const std::vector<std::vector<double>>& cells, std::size_t first,
                        std::size_t count, std::size_t k) {
  std::vector<double> samples;
  for (std::size_t i = first; i < first + count; ++i) samples.push_back(cells.at(i).at(k));
  return estimate(samples);
}

std::vector<Index> first_seeds(Index count) {
  std::vector<Index> seeds(static_cast<std::size_t>(count));
  std::iota(seeds.begin(), seeds.end(), Index{1});
  return seeds;
}

std::string percent_text(const Estimate& share) {
  if (std::isnan(share.mean)) return "-";
  std::string text = fmt::format("{:.1f} %", 100 * share.mean);
  if (!std::isnan(share.se)) text += fmt::format(" ± {:.1f} %", 100 * share.se);
  return text;
}

}  // namespace tapehead
