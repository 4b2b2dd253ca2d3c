#include "studies/distance.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/input_gradients.h"
#include "studies/study_cells.h"
#include "studies/study_models.h"
#include "studies/study_registry.h"
#include "train/config/words.h"

namespace tapehead {

namespace {

constexpr int kDistanceVersion = 1;
constexpr Index kFactPosition = 1;  // after '*'
constexpr Index kGradientRows = 64;
constexpr const char* kDistanceAxis = "symbols between fact and question";
constexpr double kRecalled = 0.99;  // accuracy from which on we say so

// The numbers of a cell.
enum DistanceNumber : std::size_t {
  kAccuracy,
  kStepsMade,
  kParameters,
  kReach,         // positions that an output can depend on; 0: all before it
  kGradientInit,  // norm at the fact, mean over rows
  kGradientTrained,
  kShareInit,  // of the norms at all positions, those at the fact
  kShareTrained
};

struct FactGradient {
  double norm = 0, share = 0;
};

// Of held-out rows. Summed over rows before dividing: a row whose loss is exactly 0 has no share.
FactGradient fact_gradient(const SequenceModel<float>& net, const Task& task) {
  Batch batch;
  task.held_out_batch(0, std::min(kGradientRows, task.held_out_rows()), batch);
  const auto norms = input_gradient_norms(net, batch, first_asked(batch), Answered::kLoss);
  double at_fact = 0;
  for (Index row = 0; row < batch.rows; ++row) {
    at_fact += norms[static_cast<std::size_t>(row * batch.length + kFactPosition)];
  }
  const double everywhere = std::accumulate(norms.begin(), norms.end(), 0.0);
  return {at_fact / static_cast<double>(batch.rows), at_fact / everywhere};
}

Index reach_of(const Config& config, const ModelSizes& sizes) {
  return traits_of(config.model.kind).convolves ? conv_config(config.model, sizes).receptive_field()
                                                : 0;
}

std::vector<double> measure_distance(const Config& config, int threads,
                                     const StudyRequest& request) {
  const TrainedModel trained = train_for_study(config, threads, request);
  const ModelSizes sizes = model_sizes(*trained.task);
  const auto fresh = build_model(config, sizes);
  const FactGradient before = fact_gradient(*fresh->net, *trained.task);
  const FactGradient after = fact_gradient(*trained.model->net, *trained.task);
  return {trained.summary.evaluation->accuracy.value(),
          static_cast<double>(trained.summary.steps),
          static_cast<double>(trained.summary.parameters),
          static_cast<double>(reach_of(config, sizes)),
          before.norm,
          after.norm,
          before.share,
          after.share};
}

std::string kind_name(std::size_t kind) { return std::string(name_of(distance_kinds()[kind])); }

// The estimates of every kind at every distance.
class DistanceNumbers {
 public:
  DistanceNumbers(const DistanceSettings& settings, std::vector<std::vector<double>> cells)
      : settings_(settings), cells_(std::move(cells)) {}

  Estimate at(std::size_t kind, std::size_t distance, DistanceNumber number) const {
    return estimate_cells(cells_, first(kind, distance), seeds(), number);
  }
  // The farthest distance up to which every seed recalls; 0: none.
  Index recalled_up_to(std::size_t kind) const {
    Index farthest = 0;
    for (std::size_t d = 0; d < settings_.distances.size(); ++d) {
      for (std::size_t i = 0; i < seeds(); ++i) {
        if (cells_[first(kind, d) + i][kAccuracy] < kRecalled) return farthest;
      }
      farthest = settings_.distances[d];
    }
    return farthest;
  }

 private:
  std::size_t seeds() const { return static_cast<std::size_t>(settings_.seeds); }
  std::size_t first(std::size_t kind, std::size_t distance) const {
    return (kind * settings_.distances.size() + distance) * seeds();
  }

  const DistanceSettings& settings_;
  std::vector<std::vector<double>> cells_;
};

Table distance_table(const DistanceSettings& settings, const DistanceNumbers& numbers) {
  Table table{"rows",
              "recall of a fact, and the gradient of the answer's loss at it",
              {"model", "width", "parameters", "reach", "distance", "accuracy", "steps",
               "gradient_init", "gradient_trained", "share_init", "share_trained"},
              {}};
  for (std::size_t k = 0; k < distance_kinds().size(); ++k) {
    for (std::size_t d = 0; d < settings.distances.size(); ++d) {
      const Config config =
          distance_config(settings, distance_kinds()[k], settings.distances[d], 1);
      const double reach = numbers.at(k, d, kReach).mean;
      table.rows.push_back({kind_name(k), static_cast<double>(config.model.d_model),
                            numbers.at(k, d, kParameters).mean,
                            reach > 0 ? Cell(reach) : Cell("all"),
                            static_cast<double>(settings.distances[d]), numbers.at(k, d, kAccuracy),
                            numbers.at(k, d, kStepsMade), numbers.at(k, d, kGradientInit),
                            numbers.at(k, d, kGradientTrained), numbers.at(k, d, kShareInit),
                            numbers.at(k, d, kShareTrained)});
    }
  }
  return table;
}

Chart distance_chart(const DistanceSettings& settings, const DistanceNumbers& numbers, Chart chart,
                     DistanceNumber number) {
  chart.log_x = true;
  for (std::size_t k = 0; k < distance_kinds().size(); ++k) {
    ChartSeries series{kind_name(k), {}};
    for (std::size_t d = 0; d < settings.distances.size(); ++d) {
      series.points.push_back(
          point(static_cast<double>(settings.distances[d]), numbers.at(k, d, number)));
    }
    chart.series.push_back(series);
  }
  return chart;
}

std::vector<Chart> distance_charts(const DistanceSettings& settings,
                                   const DistanceNumbers& numbers) {
  return {distance_chart(settings, numbers,
                         {.name = "accuracy",
                          .title = "Recall against distance",
                          .x_label = kDistanceAxis,
                          .y_label = "accuracy"},
                         kAccuracy),
          distance_chart(settings, numbers,
                         {.name = "gradient_init",
                          .title = "Gradient at the fact before training (a zero is left out)",
                          .x_label = kDistanceAxis,
                          .y_label = "norm of d loss / d input",
                          .log_y = true},
                         kGradientInit),
          distance_chart(settings, numbers,
                         {.name = "share_trained",
                          .title = "Share of the gradient that is at the fact, after training",
                          .x_label = kDistanceAxis,
                          .y_label = "share of all positions' norms"},
                         kShareTrained)};
}

std::string kind_finding(const DistanceSettings& settings, const DistanceNumbers& numbers,
                         std::size_t kind) {
  const std::size_t last = settings.distances.size() - 1;
  const Index farthest = numbers.recalled_up_to(kind);
  const std::string recalls =
      farthest == 0 ? fmt::format("does not recall at distance {}", settings.distances[0])
                    : fmt::format("recalls up to distance {}", farthest);
  const double near = numbers.at(kind, 0, kGradientInit).mean;
  const double far = numbers.at(kind, last, kGradientInit).mean;
  std::string text = fmt::format(
      "{} {} with every seed (accuracy at least {:.0f} %) and has {} at distance {}; before "
      "training the gradient at the fact is {:.2g} at distance {} and {}",
      kind_name(kind), recalls, 100 * kRecalled, percent_text(numbers.at(kind, last, kAccuracy)),
      settings.distances[last], near, settings.distances[0],
      far == 0 ? fmt::format("exactly 0 at distance {}", settings.distances[last])
               : fmt::format("{:.2g} at distance {}, a factor of {:.2g}", far,
                             settings.distances[last], far / near));
  const double reach = numbers.at(kind, last, kReach).mean;
  if (reach > 0) text += fmt::format("; an output of it sees {} positions", reach);
  return text + ".";
}

// Whether a gradient that is large before training goes with recall after it.
std::string order_finding(const DistanceSettings& settings, const DistanceNumbers& numbers) {
  const std::size_t last = settings.distances.size() - 1;
  std::vector<std::size_t> order(distance_kinds().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t kind) {
    return numbers.at(kind, last, kGradientInit).mean;
  });
  std::vector<std::string> parts;
  for (const std::size_t kind : order) {
    parts.push_back(fmt::format("{} {:.1g} ({})", kind_name(kind),
                                numbers.at(kind, last, kGradientInit).mean,
                                percent_text(numbers.at(kind, last, kAccuracy))));
  }
  return fmt::format(
      "At distance {}, the gradient at the fact before training and, in brackets, what was "
      "recalled after it, the largest gradient first: {}.",
      settings.distances[last], fmt::join(parts, ", "));
}

StudyResult distance_result(const DistanceSettings& settings, const DistanceNumbers& numbers) {
  StudyResult result;
  result.settings = fmt::format(
      "task long_recall: one fact, then as many random symbols as the distance, then the question; "
      "chance is 10 %. Kinds of models with about {} parameters: decoder (2 layers, 4 heads, "
      "rotary "
      "positions), rnn, gru, lstm (1 layer) and conv (5 layers of 3 taps, dilations 1, 2, 4, ...). "
      "AdamW, learning rate 0.002, batch {}, up to {} steps: a run stops at 99.5 %. {} seeds; "
      "± is the standard error of their mean. Gradients: mean norm over {} held-out rows.",
      settings.parameters, settings.batch, settings.most_steps, settings.seeds, kGradientRows);
  for (std::size_t k = 0; k < distance_kinds().size(); ++k) {
    result.findings.push_back(kind_finding(settings, numbers, k));
  }
  result.findings.push_back(order_finding(settings, numbers));
  result.limits =
      "One task, one size, one learning rate and a limited number of steps: a model that does not "
      "recall here may with more steps or another initialisation of its gates. The gradient of the "
      "loss fades once a model is right, so after training only its share among the positions "
      "compares. Norms below 1e-38, the smallest normal number in float, are coarse. A conv with "
      "more layers reaches farther, for parameters.";
  result.tables = {distance_table(settings, numbers)};
  result.charts = distance_charts(settings, numbers);
  return result;
}

}  // namespace

const std::vector<ModelKind>& distance_kinds() {
  static const std::vector<ModelKind> kKinds = {
      ModelKind::kDecoder, ModelKind::kRnn, ModelKind::kGru, ModelKind::kLstm, ModelKind::kConv};
  return kKinds;
}

Config distance_config(const DistanceSettings& settings, ModelKind kind, Index distance,
                       Index seed) {
  const ModelTraits& traits = traits_of(kind);
  Config c = default_config("long_recall", kind);
  c.task.distance = distance;
  c.task.held_out = settings.rows;
  c.optimizer.lr = 0.002;
  c.train.steps = settings.most_steps;
  c.train.batch = settings.batch;
  c.train.seed = seed;
  c.train.eval_every = 100;
  c.train.eval_rows = 200;
  c.train.target_accuracy = 0.995;
  c.model.layers = traits.is_recurrent() ? 1 : (traits.convolves ? 5 : 2);
  if (traits.attends) c.model.position = PositionKind::kRope;
  c = completed(c);
  const auto set_width = [&traits](Config& config, Index width) {
    config.model.d_model = width;
    if (traits.convolves) config.model.d_ff = width;
  };
  // Heads of an even width, as rotary positions need.
  const Index multiple = traits.attends ? 2 * c.model.heads : 2;
  set_width(c, matching_width(c, settings.parameters, multiple, set_width));
  check_config(c);
  return c;
}

StudyResult distance_study(const StudyRequest& request, const DistanceSettings& settings) {
  std::vector<StudyCell> cells;
  for (const ModelKind kind : distance_kinds()) {
    for (const Index distance : settings.distances) {
      for (const Index seed : first_seeds(settings.seeds)) {
        const Config config = distance_config(settings, kind, distance, seed);
        cells.push_back({fmt::format("{} distance={} seed={}", name_of(kind), distance, seed),
                         [config, &request](int threads) {
                           return measure_distance(config, threads, request);
                         }});
      }
    }
  }
  const DistanceNumbers numbers(settings, compute_cells(request, kDistanceVersion, cells));
  StudyResult result = distance_result(settings, numbers);
  result.study = "distance";
  result.question = find_study("distance").question;
  result.quick = request.quick;
  result.seeds = first_seeds(settings.seeds);
  return result;
}

StudyResult run_distance_study(const StudyRequest& request) {
  DistanceSettings settings;
  if (request.quick) {
    settings.distances = {8, 32};
    settings.most_steps = 300;
  }
  return distance_study(request, settings);
}

}  // namespace tapehead
