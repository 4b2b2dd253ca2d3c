#include "studies/order.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/order_exact.h"
#include "studies/study_cells.h"
#include "studies/study_models.h"
#include "studies/study_registry.h"
#include "train/config/words.h"

namespace tapehead {

namespace {

constexpr int kOrderVersion = 1;
constexpr Index kOrderSymbols = 10;
// In double precision: rounding is some 1e-16 of the outputs, and a difference of meaning is far
// larger even at initialisation.
constexpr double kRoundingInDouble = 1e-12;

enum OrderNumber : std::size_t { kOrderAccuracy, kOrderTokenAccuracy, kOrderSteps };

struct OrderNumbers {
  const OrderSettings& settings;
  std::vector<std::vector<double>> cells;
  std::vector<OrderDifferences> in_float, in_double;  // of each kind of positions

  Estimate at(std::size_t condition, std::size_t position, OrderNumber number) const {
    const auto seeds = static_cast<std::size_t>(settings.seeds);
    return estimate_cells(cells, (condition * settings.positions.size() + position) * seeds, seeds,
                          number);
  }
};

std::string position_name(const OrderNumbers& numbers, std::size_t position) {
  return std::string(name_of(numbers.settings.positions[position]));
}

Table trained_table(const OrderNumbers& numbers) {
  Table table{"rows",
              "trained models, by how positions are told",
              {"model", "task", "position", "accuracy", "token_accuracy", "steps", "best_possible"},
              {}};
  const OrderSettings& s = numbers.settings;
  for (std::size_t c = 0; c < order_conditions().size(); ++c) {
    const OrderCondition& condition = order_conditions()[c];
    for (std::size_t p = 0; p < s.positions.size(); ++p) {
      table.rows.push_back({std::string(traits_of(condition.kind).name), condition.task,
                            position_name(numbers, p), numbers.at(c, p, kOrderAccuracy),
                            numbers.at(c, p, kOrderTokenAccuracy), numbers.at(c, p, kOrderSteps),
                            best_possible(condition, s.positions[p], s.length, kOrderSymbols)});
    }
  }
  return table;
}

Table exact_table(const OrderNumbers& numbers) {
  Table table{"exact",
              "fresh models: the largest change of the outputs, beyond moving with their tokens, "
              "as a share of the largest output",
              {"position", "numbers", "encoder_permuted", "encoder_reversed", "decoder_one_layer",
               "decoder_two_layers"},
              {}};
  for (std::size_t p = 0; p < numbers.settings.positions.size(); ++p) {
    const auto add = [&](const char* scalar, const OrderDifferences& d) {
      table.rows.push_back({position_name(numbers, p), scalar, d.encoder_permuted,
                            d.encoder_reversed, d.decoder_one_layer, d.decoder_two_layers});
    };
    add("float", numbers.in_float[p]);
    add("double", numbers.in_double[p]);
  }
  return table;
}

Chart order_chart(const OrderNumbers& numbers) {
  Chart chart{.name = "accuracy",
              .title = "What is learned with each kind of positions",
              .x_label = "positions",
              .y_label = "accuracy",
              .categories = {}};
  for (const PositionKind position : numbers.settings.positions) {
    chart.categories.emplace_back(name_of(position));
  }
  for (std::size_t c = 0; c < order_conditions().size(); ++c) {
    ChartSeries series{order_conditions()[c].name(), {}};
    for (std::size_t p = 0; p < numbers.settings.positions.size(); ++p) {
      series.points.push_back(point(static_cast<double>(p), numbers.at(c, p, kOrderAccuracy)));
    }
    chart.series.push_back(series);
  }
  return chart;
}

// "none (2e-07 in float, 4e-16 in double)", ...: those to which the change of order makes no
// difference but rounding.
std::vector<std::string> cannot_tell(const OrderNumbers& numbers,
                                     double OrderDifferences::*member) {
  std::vector<std::string> blind;
  for (std::size_t p = 0; p < numbers.settings.positions.size(); ++p) {
    if (numbers.in_double[p].*member >= kRoundingInDouble) continue;
    blind.push_back(fmt::format("{} ({:.1g} in float, {:.1g} in double)", position_name(numbers, p),
                                numbers.in_float[p].*member, numbers.in_double[p].*member));
  }
  return blind;
}

// The smallest change that is more than rounding; NaN if there is none.
double smallest_telling(const OrderNumbers& numbers, double OrderDifferences::*member) {
  double smallest = std::numeric_limits<double>::quiet_NaN();
  for (const OrderDifferences& d : numbers.in_double) {
    if (d.*member >= kRoundingInDouble) smallest = std::fmin(smallest, d.*member);
  }
  return smallest;
}

std::string exact_finding(const OrderNumbers& numbers, const char* what,
                          double OrderDifferences::*member) {
  const auto blind = cannot_tell(numbers, member);
  const double smallest = smallest_telling(numbers, member);
  std::string text = fmt::format("{}: ", what);
  if (!blind.empty()) {
    text += fmt::format("nothing changes but rounding with position = {}", fmt::join(blind, ", "));
  }
  if (std::isnan(smallest)) return text + ".";
  return text + fmt::format("{} at least {:.2g} of the largest output changes.",
                            blind.empty() ? "with all kinds of positions" : "; with the others",
                            smallest);
}

std::vector<std::string> exact_findings(const OrderNumbers& numbers) {
  const auto say = [&](const char* what, double OrderDifferences::*member) {
    return exact_finding(numbers, what, member);
  };
  return {
      say("An encoder whose input is put in another order, its outputs moved back",
          &OrderDifferences::encoder_permuted),
      say("An encoder whose input is turned back to front", &OrderDifferences::encoder_reversed),
      say("The last output of a decoder of one layer, the tokens before it in another order",
          &OrderDifferences::decoder_one_layer),
      say("The same with two layers, whose first can count what stands before each token",
          &OrderDifferences::decoder_two_layers)};
}

std::string trained_finding(const OrderNumbers& numbers, std::size_t condition) {
  const OrderSettings& s = numbers.settings;
  std::vector<std::string> parts;
  for (std::size_t p = 0; p < s.positions.size(); ++p) {
    const double best =
        best_possible(order_conditions()[condition], s.positions[p], s.length, kOrderSymbols);
    parts.push_back(fmt::format(
        "{} {}{}", name_of(s.positions[p]), percent_text(numbers.at(condition, p, kOrderAccuracy)),
        best < 1 ? fmt::format(" (of all prompts {:.2g} % are possible)", 100 * best)
                 : std::string()));
  }
  return fmt::format("{}, accuracy: {}.", order_conditions()[condition].name(),
                     fmt::join(parts, ", "));
}

StudyResult order_result(const OrderNumbers& numbers) {
  const OrderSettings& s = numbers.settings;
  StudyResult result;
  result.settings = fmt::format(
      "Trained: prompts of {} of {} symbols, to be reversed or sorted; 2 layers, width 32, 4 "
      "heads; "
      "AdamW, learning rate 0.002, batch {}, up to {} steps: a run stops at 99.5 %. Fresh: rows of "
      "12 tokens, the same width. {} seeds; ± is the standard error of their mean, and of fresh "
      "models the largest of the seeds is given.",
      s.length, kOrderSymbols, s.batch, s.most_steps, s.seeds);
  result.findings = exact_findings(numbers);
  for (std::size_t c = 0; c < order_conditions().size(); ++c) {
    result.findings.push_back(trained_finding(numbers, c));
  }
  result.limits =
      "That outputs change with the order says that a model can use it, not that it learns to. "
      "ALiBi and Hard-ALiBi are symmetric in an encoder, as distances are; a causal mask or tokens "
      "that differ break the symmetry. In an encoder-decoder the positions are told to both parts, "
      "but cross-attention itself has none.";
  result.tables = {trained_table(numbers), exact_table(numbers)};
  result.charts = {order_chart(numbers)};
  return result;
}

double binomial(Index n, Index k) {
  double result = 1;
  for (Index i = 1; i <= k; ++i) {
    result = result * static_cast<double>(n - k + i) / static_cast<double>(i);
  }
  return result;
}

std::vector<StudyCell> order_cells(const StudyRequest& request, const OrderSettings& settings) {
  std::vector<StudyCell> cells;
  for (const OrderCondition& condition : order_conditions()) {
    for (const PositionKind position : settings.positions) {
      for (const Index seed : first_seeds(settings.seeds)) {
        const Config config = order_config(settings, condition, position, seed);
        cells.push_back(
            {fmt::format("{} position={} seed={}", condition.name(), name_of(position), seed),
             [config, &request](int threads) -> std::vector<double> {
               const auto trained = train_for_study(config, threads, request);
               return {trained.summary.evaluation->accuracy.value(),
                       trained.summary.evaluation->token_accuracy,
                       static_cast<double>(trained.summary.steps)};
             }});
      }
    }
  }
  return cells;
}

}  // namespace

const std::vector<OrderCondition>& order_conditions() {
  static const std::vector<OrderCondition> kConditions = {{ModelKind::kEncoder, "reverse"},
                                                          {ModelKind::kEncoderDecoder, "reverse"},
                                                          {ModelKind::kEncoderDecoder, "sort"},
                                                          {ModelKind::kDecoder, "reverse"}};
  return kConditions;
}

Config order_config(const OrderSettings& settings, const OrderCondition& condition,
                    PositionKind position, Index seed) {
  Config c = default_config(condition.task, condition.kind);
  c.task.length = settings.length;
  c.task.symbols = kOrderSymbols;
  c.model.position = position;
  c.model.d_model = 32;
  c.model.layers = 2;
  c.model.heads = 4;
  c.optimizer.lr = 0.002;
  c.train.steps = settings.most_steps;
  c.train.batch = settings.batch;
  c.train.seed = seed;
  c.train.eval_every = 100;
  c.train.eval_rows = 200;
  c.train.target_accuracy = 0.995;
  return completed(c);
}

double best_possible(const OrderCondition& condition, PositionKind position, Index length,
                     Index symbols) {
  const double k = static_cast<double>(symbols), n = static_cast<double>(length);
  if (condition.task != "reverse" || condition.kind == ModelKind::kDecoder) return 1;
  const bool apart = condition.kind == ModelKind::kEncoderDecoder;
  if (position == PositionKind::kNone) {
    return apart ? binomial(length + symbols - 1, length) / std::pow(k, n) : std::pow(k, 1 - n);
  }
  const bool symmetric = position == PositionKind::kAlibi || position == PositionKind::kHardAlibi;
  return apart && symmetric ? (1 + std::pow(k, std::ceil(n / 2) - n)) / 2 : 1;
}

StudyResult order_study(const StudyRequest& request, const OrderSettings& settings) {
  OrderNumbers numbers{
      settings, compute_cells(request, kOrderVersion, order_cells(request, settings)), {}, {}};
  for (const PositionKind position : settings.positions) {
    numbers.in_float.push_back(order_differences<float>(position, settings.seeds));
    numbers.in_double.push_back(order_differences<double>(position, settings.seeds));
  }
  StudyResult result = order_result(numbers);
  result.study = "order";
  result.question = find_study("order").question;
  result.quick = request.quick;
  result.seeds = first_seeds(settings.seeds);
  return result;
}

StudyResult run_order_study(const StudyRequest& request) {
  OrderSettings settings;
  if (request.quick) {
    settings.positions = {PositionKind::kNone, PositionKind::kLearned, PositionKind::kRope,
                          PositionKind::kAlibi};
    settings.length = 4;
    settings.most_steps = 400;
    settings.batch = 32;
  }
  return order_study(request, settings);
}

}  // namespace tapehead
