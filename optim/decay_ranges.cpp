#include "optim/decay_ranges.h"

namespace tapehead {

namespace {

bool is_decayed(ParameterKind kind, DecayScope scope) {
  return scope.all || kind == ParameterKind::kWeight ||
         (scope.embeddings && kind == ParameterKind::kEmbedding);
}

}  // namespace

template <typename Scalar>
std::vector<DecayRange> decay_ranges(const ParameterStore<Scalar>& store, double weight_decay,
                                     DecayScope scope) {
  std::vector<DecayRange> ranges;
  for (const Parameter<Scalar>& parameter : store.parameters()) {
    const double decay = is_decayed(parameter.kind(), scope) ? weight_decay : 0.0;
    if (!ranges.empty() && ranges.back().weight_decay == decay) continue;
    if (!ranges.empty()) ranges.back().end = parameter.offset();
    ranges.push_back({parameter.offset(), parameter.offset(), decay});
  }
  if (!ranges.empty()) ranges.back().end = store.values().size();
  return ranges;
}

template std::vector<DecayRange> decay_ranges(const ParameterStore<float>&, double, DecayScope);
template std::vector<DecayRange> decay_ranges(const ParameterStore<double>&, double, DecayScope);

}  // namespace tapehead
