#include "data/majority_labelling.h"

#include <cmath>

#include "data/exercise.h"

namespace tapehead {

MajorityLabelling::MajorityLabelling(Index length) : length_(length) {
  check_key("majority", "length", length, 1, kMaxLength);
}

double MajorityLabelling::sequence_count() const { return std::exp2(static_cast<double>(length_)); }

double MajorityLabelling::chance() const {
  double tie = 1;
  double sum = 0;
  for (Index t = 1; t <= length_; ++t) {
    const bool may_tie = t % 2 == 0;
    if (may_tie) tie *= static_cast<double>(t - 1) / static_cast<double>(t);
    sum += may_tie ? (1 + tie) / 2 : 0.5;
  }
  return sum / static_cast<double>(length_);
}

void MajorityLabelling::draw(Random& random, std::span<TokenId> inputs,
                             std::span<TokenId> targets) const {
  Index lead = 0;  // ones minus zeros
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    inputs[t] = static_cast<TokenId>(random.below(2));
    lead += inputs[t] == 1 ? 1 : -1;
    targets[t] = lead > 0 ? 1 : 0;
  }
}

}  // namespace tapehead
