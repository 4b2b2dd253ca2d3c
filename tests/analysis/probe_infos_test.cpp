#include "analysis/probe_infos.h"

#include <set>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(ProbeInfos, HaveANameATitleAndAUnitEach) {
  std::set<std::string_view> names, titles;
  for (const ProbeInfo& probe : probe_infos()) {
    for (const ProbeInfo::Sample& sample : probe.samples) {
      EXPECT_TRUE(sample.name.starts_with(std::string(probe.name) + "/")) << sample.name;
      EXPECT_TRUE(names.insert(sample.name).second) << sample.name;
      EXPECT_TRUE(titles.insert(sample.title).second) << sample.title;
      EXPECT_FALSE(sample.title.empty() || sample.unit.empty()) << sample.name;
      EXPECT_EQ(find_probe_sample(sample.name), &sample);
    }
    EXPECT_EQ(&probe_info(probe.name), &probe);
  }
}

TEST(ProbeInfos, KnowWhatThereIsNot) {
  EXPECT_EQ(find_probe_sample("gradients/v"), nullptr);
  testing::expect_error<ValueError>([] { probe_info("weights"); }, "none called 'weights'");
}

}  // namespace
}  // namespace tapehead
