#include "studies/receptive_field_result.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tapehead {

namespace {

Table field_table(const FieldNumbers& numbers) {
  Table table{"rows",
              "how far models look; distances in positions",
              {"task", "needs", "model", "field", "parameters", "accuracy", "half_of_gradient",
               "most_of_gradient", "mean_head", "nearest_head", "farthest_head", "even_head"},
              {}};
  for (std::size_t t = 0; t < numbers.tasks(); ++t) {
    for (std::size_t m = 0; m < numbers.models().size(); ++m) {
      const bool conv = numbers.models()[m] > 0;
      const auto of_decoder = [conv](const Estimate& e) { return conv ? Cell("-") : Cell(e); };
      table.rows.push_back({numbers.task(t), numbers.settings().tasks[t].needs,
                            receptive_field_model_name(numbers.models()[m]),
                            conv ? Cell(numbers.at(t, m, kField).mean) : Cell("all"),
                            numbers.at(t, m, kFieldParameters).mean,
                            numbers.at(t, m, kFieldAccuracy), numbers.at(t, m, kHalfWithin),
                            numbers.at(t, m, kMostWithin), of_decoder(numbers.mean_head(t, m)),
                            of_decoder(numbers.at(t, m, kFirstHead)),
                            of_decoder(numbers.at(t, m, kFirstHead + kHeadCount - 1)),
                            of_decoder(Estimate{numbers.at(t, m, kEvenDistance).mean})});
    }
  }
  return table;
}

// Heads have no identity across seeds: the shortest of each seed are averaged, and so on.
Table heads_table(const FieldNumbers& numbers) {
  Table table{"heads",
              "mean attention distance of the decoder's heads, the shortest of each seed first",
              {"task"},
              {}};
  for (std::size_t h = 0; h < kHeadCount; ++h) table.columns.push_back(fmt::format("{}", h + 1));
  for (std::size_t t = 0; t < numbers.tasks(); ++t) {
    std::vector<Cell> row = {numbers.task(t)};
    for (std::size_t h = 0; h < kHeadCount; ++h) row.emplace_back(numbers.at(t, 0, kFirstHead + h));
    table.rows.push_back(row);
  }
  return table;
}

Chart accuracy_chart(const FieldNumbers& numbers) {
  Chart chart{.name = "accuracy",
              .title = "What is learned: attention, and convolutions with a fixed field",
              .x_label = "task",
              .y_label = "accuracy"};
  for (std::size_t t = 0; t < numbers.tasks(); ++t) chart.categories.push_back(numbers.task(t));
  for (std::size_t m = 0; m < numbers.models().size(); ++m) {
    ChartSeries series{receptive_field_model_name(numbers.models()[m]), {}};
    for (std::size_t t = 0; t < numbers.tasks(); ++t) {
      series.points.push_back(point(static_cast<double>(t), numbers.at(t, m, kFieldAccuracy)));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart heads_chart(const FieldNumbers& numbers) {
  Chart chart{.name = "heads",
              .title = "Mean attention distance of the decoder's heads",
              .x_label = "head, the shortest first",
              .y_label = "positions"};
  for (std::size_t t = 0; t < numbers.tasks(); ++t) {
    ChartSeries series{numbers.task(t), {}};
    for (std::size_t h = 0; h < kHeadCount; ++h) {
      series.points.push_back(point(static_cast<double>(h + 1), numbers.at(t, 0, kFirstHead + h)));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart share_chart(const FieldNumbers& numbers, std::size_t task) {
  Chart chart{
      .name = "within_" + numbers.task(task),
      .title = fmt::format("{}: share of the input gradient within a distance", numbers.task(task)),
      .x_label = "distance in positions",
      .y_label = "share"};
  for (std::size_t m = 0; m < numbers.models().size(); ++m) {
    ChartSeries series{receptive_field_model_name(numbers.models()[m]), {}};
    for (std::size_t r = 0; r < numbers.distances(task); ++r) {
      series.points.push_back(point(static_cast<double>(r), numbers.at(task, m, kFirstShare + r)));
    }
    chart.series.push_back(series);
  }
  return chart;
}

std::string task_finding(const FieldNumbers& numbers, std::size_t task) {
  std::vector<std::string> accuracies;
  for (std::size_t m = 0; m < numbers.models().size(); ++m) {
    accuracies.push_back(fmt::format("{} {}", receptive_field_model_name(numbers.models()[m]),
                                     percent_text(numbers.at(task, m, kFieldAccuracy))));
  }
  const auto distance = [](const Estimate& e) {
    return std::isnan(e.se) ? fmt::format("{:.1f}", e.mean)
                            : fmt::format("{:.1f} ± {:.1f}", e.mean, e.se);
  };
  return fmt::format(
      "{} needs {}. Accuracy: {}. The decoder's heads look back {} positions in the mean, the "
      "nearest {}, the farthest {}; evenly it would be {:.1f}. Half of its input gradient lies "
      "within {} positions, nine tenths within {}.",
      numbers.task(task), numbers.settings().tasks[task].needs, fmt::join(accuracies, ", "),
      distance(numbers.mean_head(task, 0)), distance(numbers.at(task, 0, kFirstHead)),
      distance(numbers.at(task, 0, kFirstHead + kHeadCount - 1)),
      numbers.at(task, 0, kEvenDistance).mean, distance(numbers.at(task, 0, kHalfWithin)),
      distance(numbers.at(task, 0, kMostWithin)));
}

// By how much the gradient of the convolutions is inside the field that their taps allow.
std::string conv_finding(const FieldNumbers& numbers) {
  std::vector<std::string> parts;
  for (std::size_t m = 1; m < numbers.models().size(); ++m) {
    double least = std::numeric_limits<double>::infinity();
    double field = 0;
    for (std::size_t t = 0; t < numbers.tasks(); ++t) {
      field = numbers.at(t, m, kField).mean;
      const auto reach = std::min(static_cast<std::size_t>(field), numbers.distances(t)) - 1;
      least = std::min(least, numbers.at(t, m, kFirstShare + reach).mean);
    }
    parts.push_back(
        fmt::format("{:.6g} % within the {} positions of its field", 100 * least, field));
  }
  return fmt::format(
      "Of the convolutions' input gradient, the least of all tasks: {}. What is outside is exactly "
      "0, whatever they are trained on.",
      fmt::join(parts, ", "));
}

}  // namespace

StudyResult receptive_field_result(const FieldNumbers& numbers) {
  const ReceptiveFieldSettings& s = numbers.settings();
  StudyResult result;
  result.settings = fmt::format(
      "Models of about {} parameters: a decoder of {} layers with {} heads and rotary positions; "
      "convolution networks of 3 taps with dilations 1, 2, 4, ..., whose field is 1 + 2 (1 + 2 + 4 "
      "+ ...) positions. AdamW, learning rate 0.002, batch {}, up to {} steps: a run stops at 99.5 "
      "% of whole rows. {} seeds; ± is the standard error of their mean. Distances of attention: "
      "sum_j p_ij |i - j|, mean over the positions that ask for something in {} held-out rows; "
      "gradients: of the right answer's logit by the embedded inputs, one answer a row.",
      s.parameters, kDecoderLayers, kDecoderHeads, s.batch, s.most_steps, s.seeds, kFieldRows);
  for (std::size_t t = 0; t < numbers.tasks(); ++t) {
    result.findings.push_back(task_finding(numbers, t));
  }
  result.findings.push_back(conv_finding(numbers));
  result.limits =
      "A head's distance says where it looks, not whether what it reads is used; a gradient says "
      "what would change the answer a little, not what it rests on. Heads have no identity across "
      "seeds: they are sorted by distance before they are averaged. A field can be made as long as "
      "wanted, by layers or dilations.";
  result.tables = {field_table(numbers), heads_table(numbers)};
  result.charts = {accuracy_chart(numbers), heads_chart(numbers)};
  for (std::size_t t = 0; t < numbers.tasks(); ++t) {
    result.charts.push_back(share_chart(numbers, t));
  }
  return result;
}

}  // namespace tapehead
