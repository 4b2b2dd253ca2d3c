#include "app/documents/probe_charts.h"

#include <map>
#include <variant>

#include <gtest/gtest.h>

#include "analysis/probe_infos.h"
#include "tests/support/tiny_run.h"

namespace tapehead {
namespace {

// Every chart of a run that records all there is has a title from the list of probes, and every
// probe of the list has a chart or, with a weight for each query and key, maps.
TEST(ProbeCharts, AreTitledByTheListOfProbes) {
  const TrainedModel m =
      train_in_memory(testing::tiny_run({{"model.kind=encoder_decoder"},
                                         {"train.steps=2"},
                                         {"train.probe=attention,logits,entropy,gradients"}}),
                      1);
  std::map<std::string, std::string> titles;
  std::vector<std::string> sections;
  for (const Section& section : probe_sections(m.metrics.probes())) {
    sections.push_back(section.title);
    for (const Block& block : section.blocks) {
      const auto& chart = std::get<Chart>(block);
      titles[chart.name] = chart.title;
    }
  }
  EXPECT_EQ(sections, (std::vector<std::string>{"Entropy and saturation", "Logits", "Gradients"}));
  std::map<std::string, std::string> listed;
  for (const ProbeInfo& probe : probe_infos()) {
    if (probe.name == "attention") continue;
    for (const auto& s : probe.samples) listed.emplace(s.name, s.title);
  }
  EXPECT_EQ(titles, listed);
}

}  // namespace
}  // namespace tapehead
