#pragma once

#include <string>
#include <vector>

namespace tapehead {

/// What is chosen of a model's attention, as conflicts name it.
enum class AttentionOption {
  kDModel,
  kHeads,
  kKvHeads,
  kHeadDim,
  kPosition,
  kScores,
  kScale,
  kQkNorm,
  kShare
};

/// Two options whose values do not go together. Whoever offers the options under names of their own
/// says those and their values in place of `found`.
struct AttentionConflict {
  AttentionOption option;  ///< the one that is to be changed first
  AttentionOption other;
  std::string found;  ///< both values: "10 heads, d_model 64"
  std::string why;    ///< what is needed, and what to change

  /// "PATH: FOUND: WHY"
  std::string message(const std::string& path) const { return path + ": " + found + ": " + why; }
};

/// Throws ValueError for the first conflict, in the name of the layer at `path`.
void refuse(const std::vector<AttentionConflict>& conflicts, const std::string& path);

}  // namespace tapehead
