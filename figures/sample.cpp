#include "figures/sample.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tapehead {

std::string joined_symbols(const std::vector<std::string>& symbols, bool words) {
  return fmt::format("{}", fmt::join(symbols, words ? " " : ""));
}

std::string sample_text(const Sample& sample) {
  return fmt::format("input      {}\nexpected   {}\npredicted  {}\n",
                     joined_symbols(sample.input, sample.words),
                     joined_symbols(sample.expected, sample.words),
                     joined_symbols(sample.predicted, sample.words));
}

}  // namespace tapehead
