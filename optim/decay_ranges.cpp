#include "optim/decay_ranges.h"

namespace tapehead {

namespace {

bool is_decayed(ParameterKind kind, bool decay_all) {
  return decay_all || kind == ParameterKind::kWeight;
}

}  // namespace

template <typename Scalar>
std::vector<DecayRange> decay_ranges(const ParameterStore<Scalar>& store, double weight_decay,
                                     bool decay_all) {
  std::vector<DecayRange> ranges;
  for (const Parameter<Scalar>& parameter : store.parameters()) {
    const double decay = is_decayed(parameter.kind(), decay_all) ? weight_decay : 0.0;
    if (!ranges.empty() && ranges.back().weight_decay == decay) continue;
    if (!ranges.empty()) ranges.back().end = parameter.offset();
    ranges.push_back({parameter.offset(), parameter.offset(), decay});
  }
  if (!ranges.empty()) ranges.back().end = store.values().size();
  return ranges;
}

template std::vector<DecayRange> decay_ranges(const ParameterStore<float>&, double, bool);
template std::vector<DecayRange> decay_ranges(const ParameterStore<double>&, double, bool);

}  // namespace tapehead
