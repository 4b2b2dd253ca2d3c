#pragma once

#include <span>
#include <string_view>

namespace tapehead {

/// One name for train.probe, with the samples that it leaves in metrics.h5.
struct ProbeInfo {
  struct Sample {
    std::string_view name, shape, meaning;
    std::string_view title, unit;  ///< of its chart
  };
  std::string_view name, title;
  std::span<const Sample> samples;
};

/// All of them: the one list, in the order in which `tapehead info --probes` lists them.
std::span<const ProbeInfo> probe_infos();

/// The one of this name. Throws ValueError if there is none.
const ProbeInfo& probe_info(std::string_view name);
/// What is known of samples of a name, or null.
const ProbeInfo::Sample* find_probe_sample(std::string_view name);

}  // namespace tapehead
