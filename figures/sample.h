#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tapehead {

/// What a model makes of one held-out row: what it was given, what was expected of it, what it
/// predicts at the places that count; each symbol or number by itself.
struct Sample {
  std::vector<std::string> input, expected, predicted;
  bool words = true;     ///< shown with spaces between; a text's characters without
  bool numbers = false;  ///< real numbers, which are neither right nor wrong

  /// True if prediction i is another symbol than expected.
  bool wrong(std::size_t i) const {
    return !numbers && (i >= expected.size() || predicted[i] != expected[i]);
  }
};

/// The symbols in a row, as a person reads them.
std::string joined_symbols(const std::vector<std::string>& symbols, bool words);
/// Three lines: input, expected, predicted.
std::string sample_text(const Sample& sample);

}  // namespace tapehead
