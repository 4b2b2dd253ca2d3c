#include "figures/number_text.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace tapehead {

std::string number_text(double number) {
  if (std::isnan(number)) return "-";
  constexpr double kLongestInteger = 1e9;
  if (number == std::round(number) && std::abs(number) < kLongestInteger) {
    return fmt::format("{:.0f}", number == 0 ? 0.0 : number);
  }
  return fmt::format("{:.4g}", number);
}

namespace {

// A standard error with two significant digits, which is as far as one is known.
std::string error_text(double se) {
  const std::string rounded = fmt::format("{:.2g}", se);
  return number_text(std::strtod(rounded.c_str(), nullptr));
}

}  // namespace

std::string cell_text(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
  const Estimate& e = std::get<Estimate>(cell);
  if (std::isnan(e.se)) return number_text(e.mean);
  return fmt::format("{} ± {}", number_text(e.mean), error_text(e.se));
}

}  // namespace tapehead
