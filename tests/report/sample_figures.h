#pragma once

#include <string>
#include <vector>

#include "report/document.h"
#include "studies/study.h"

namespace tapehead::testing {

/// Labels that mean something in HTML, XML, JSON and JavaScript.
inline const std::string kOddLabel = "<b> & \"q\" 'a' </script> {x} \\ é \x01";

/// Two series with error bars; what a label can be is odd.
inline Chart odd_chart() {
  Chart chart;
  chart.name = "odd/chart";
  chart.title = kOddLabel;
  chart.x_label = kOddLabel;
  chart.y_label = kOddLabel;
  chart.series = {{kOddLabel, {{1, 2, 1.5, 2.5}, {2, 3, 2.5, 3.5}, {3, 1, 0.5, 1.5}}},
                  {"b", {{1, 1}, {2, 2}, {3, 3}}}};
  return chart;
}

/// Two layers of two heads over three queries and three keys at two steps; weights differ.
inline AttentionMaps small_maps() {
  AttentionMaps maps;
  maps.name = "attention/weights";
  maps.title = "Attention";
  maps.queries = {"<", "&", kOddLabel};
  maps.keys = {"a", "b", "c"};
  maps.layers = {"blocks.0.attention", "blocks.1.attention"};
  maps.heads = 2;
  maps.steps = {0, 100};
  for (const float sharp : {0.4F, 1.0F}) {
    std::vector<float> weights;
    for (int head = 0; head < 4; ++head) {
      // The later the head, the more decided: 4 is certain at the last step.
      const float first = 0.25F + (sharp - 0.25F) * static_cast<float>(head) / 3.0F;
      const float rest = (1.0F - first) / 2.0F;
      for (int query = 0; query < 3; ++query) weights.insert(weights.end(), {first, rest, rest});
    }
    maps.weights.push_back(weights);
  }
  return maps;
}

inline StudyResult small_study() {
  StudyResult study;
  study.study = "demo";
  study.question = "What is " + std::string("<asked>?");
  study.settings = "Nothing was varied.";
  study.seeds = {1, 2, 3};
  study.findings = {"A & B differ by 0.5 ± 0.1."};
  study.limits = "Everything else.";
  study.tables = {
      {"rows",
       "Numbers",
       {"kind", "x", "y"},
       {{std::string("<a>"), 1.0, Estimate{2, 0.1}}, {std::string("b"), 2.0, Estimate{}}}}};
  study.charts = {odd_chart()};
  study.maps = {small_maps()};
  return study;
}

}  // namespace tapehead::testing
