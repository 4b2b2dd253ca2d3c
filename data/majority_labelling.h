#pragma once

#include "data/labelling.h"

namespace tapehead {

/// At each bit: have there been more ones than zeros so far (1), or not (0)? Key: length. With
/// length 6:
///
///   input   0 1 1 1 0 0
///   target  0 0 1 1 1 0
///
/// Attention solves it by an average over all bits, where parity needs more. Source: Merrill et al.
/// 2022 (arXiv:2106.16213), the language MAJ of saturated transformers, asked at each prefix.
class MajorityLabelling : public Labelling {
 public:
  static constexpr Index kDefaultLength = 32;
  static constexpr Index kMaxLength = 4096;

  /// Throws ValueError unless length is from 1 to 4096.
  explicit MajorityLabelling(Index length = kDefaultLength);

  std::string name() const override { return "majority"; }
  std::vector<std::string> symbols() const override { return {"0", "1"}; }
  Index length() const override { return length_; }
  double sequence_count() const override;
  std::string size_keys() const override { return "length"; }
  /// That of the guess 0, which is right in a tie too; a tie of t = 2n bits has probability
  /// (2n)! / (n!^2 4^n).
  double chance() const override;
  void draw(Random& random, std::span<TokenId> inputs, std::span<TokenId> targets) const override;

 private:
  Index length_;
};

}  // namespace tapehead
