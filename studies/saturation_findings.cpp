#include "studies/saturation_findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "figures/number_text.h"
#include "studies/saturation_results.h"

namespace tapehead {

namespace {

using M = RowMeasure;

std::string estimate_text(const Estimate& e) { return cell_text(Cell(e)); }
// Of a norm: "0.23 (0.05 to 0.5)", the median with the 10th and the 90th percentile.
std::string median_text(const Estimate& e) {
  const auto [low, median, high] = *e.quantiles;
  return fmt::format("{} ({} to {})", number_text(median), number_text(low), number_text(high));
}
const char* verdict(bool holds) { return holds ? "true" : "false"; }
// Smaller by more than the errors explain.
bool is_smaller(const Estimate& a, const Estimate& b) {
  constexpr double kErrors = 2;
  return b.mean - a.mean > kErrors * std::hypot(a.se, b.se);
}

// The exponent of y ~ d^b between two widths.
Estimate exponent(Index d0, const Estimate& y0, Index d1, const Estimate& y1) {
  const double span = std::log(static_cast<double>(d1) / static_cast<double>(d0));
  return {std::log(y1.mean / y0.mean) / span, std::hypot(y0.se / y0.mean, y1.se / y1.mean) / span};
}

// The cells that the findings compare: the narrowest and the widest head, and one from which on
// power laws of d_k are fitted.
struct ShownCells {
  explicit ShownCells(const SaturationResults& results)
      : narrow(results.widths().front()),
        wide(results.widths().back()),
        fit(start_of_fit(results.widths())),
        at_narrow(results.unit(kShownKeys, narrow, false)),
        at_fit(results.unit(kShownKeys, fit, false)),
        at_wide(results.unit(kShownKeys, wide, false)) {}

  // Power laws hold for wide heads; two of them a few doublings apart say how steep it is.
  static Index start_of_fit(const std::vector<Index>& widths) {
    Index start = widths.front();
    for (const Index d : widths) {
      if (d <= 256) start = d;
    }
    return start;
  }
  Estimate exponent_of(const Estimate& from, const Estimate& to) const {
    return exponent(fit, from, wide, to);
  }

  Index narrow, wide, fit;
  const SoftmaxSummary &at_narrow, &at_fit, &at_wide;
};

std::string spread_finding(const ShownCells& c) {
  return fmt::format(
      "Without the scale the logits of a head of "
      "width {} have standard deviation {} (closed form "
      "sqrt(d_k) = {}); with {} keys the mean entropy is {} nats of at most {}, and a weight is "
      "above 0.99 in {:.1f} % of the rows.",
      c.wide, estimate_text(c.at_wide.root(M::kLogitVariance)),
      number_text(std::sqrt(static_cast<double>(c.wide))), kShownKeys,
      estimate_text(c.at_wide[M::kEntropy]), number_text(std::log(static_cast<double>(kShownKeys))),
      100 * c.at_wide.mean(M::kAbove99));
}

std::string median_finding(const ShownCells& c) {
  constexpr double kTenth = 0.1;
  const auto falls = [&c](M m) {
    return c.at_wide[m].quantiles->at(1) < kTenth * c.at_narrow[m].quantiles->at(1);
  };
  return fmt::format(
      "\"Without the scale gradients vanish\" is {} of the typical row: from d_k = {} to {} the "
      "norm of the gradient, median (10th to 90th percentile) with {} keys, goes from {} to {} at "
      "the logits and from {} to {} at the query.",
      verdict(falls(M::kGradLogits) && falls(M::kGradQuery)), c.narrow, c.wide, kShownKeys,
      median_text(c.at_narrow[M::kGradLogits]), median_text(c.at_wide[M::kGradLogits]),
      median_text(c.at_narrow[M::kGradQuery]), median_text(c.at_wide[M::kGradQuery]));
}

std::string logits_finding(const ShownCells& c) {
  const Estimate &narrow = c.at_narrow[M::kGradLogits], &wide = c.at_wide[M::kGradLogits];
  return fmt::format(
      "It is {} of the mean gradient at the logits, which falls by a power law only: {} at d_k = "
      "{}, {} at {}; between {} and {} as d_k to the power {} (in the limit -1/2).",
      verdict(is_smaller(wide, narrow)), estimate_text(narrow), c.narrow, estimate_text(wide),
      c.wide, c.fit, c.wide, estimate_text(c.exponent_of(c.at_fit[M::kGradLogits], wide)));
}

std::string query_finding(const ShownCells& c) {
  const Estimate &narrow = c.at_narrow[M::kGradQuery], &wide = c.at_wide[M::kGradQuery];
  const Estimate rms = c.at_wide.root(M::kGradQuerySquare);
  return fmt::format(
      "It is {} of the mean gradient at the query: {} at d_k = {}, {} at {}, since the keys' "
      "length, sqrt(d_k), makes up for what the logits lose. Its root mean square is {} at {} and "
      "{} at {}, and goes as d_k to the power {} (in the limit +1/4): few rows carry it all, and "
      "gradients are sparse and of high variance rather than small.",
      verdict(is_smaller(wide, narrow)), estimate_text(narrow), c.narrow, estimate_text(wide),
      c.wide, estimate_text(c.at_narrow.root(M::kGradQuerySquare)), c.narrow, estimate_text(rms),
      c.wide, estimate_text(c.exponent_of(c.at_fit.root(M::kGradQuerySquare), rms)));
}

std::string cross_entropy_finding(const ShownCells& c) {
  const Estimate& narrow = c.at_narrow[M::kGradCrossEntropy];
  const Estimate& wide = c.at_wide[M::kGradCrossEntropy];
  return fmt::format(
      "It is {} of a cross-entropy's own gradient at its logits, ||p - e_y||: {} at d_k = {}, {} "
      "at {} (a wrong hard choice has sqrt(2)). What saturation stops is the gradient that goes "
      "through attention weights.",
      verdict(is_smaller(wide, narrow)), estimate_text(narrow), c.narrow, estimate_text(wide),
      c.wide);
}

// The largest difference of the mean entropy between two widths, over all numbers of keys.
double entropy_range(const SaturationResults& results, bool scaled) {
  double widest = 0;
  for (const Index n : results.key_counts()) {
    double low = std::log(static_cast<double>(n)), high = 0;
    for (const Index d : results.widths()) {
      const double entropy = results.unit(n, d, scaled).mean(M::kEntropy);
      low = std::min(low, entropy);
      high = std::max(high, entropy);
    }
    widest = std::max(widest, high - low);
  }
  return widest;
}

std::string scale_finding(const SaturationResults& results, const ShownCells& c) {
  constexpr double kLittle = 0.05;  // nats
  const double range = entropy_range(results, true);
  const SoftmaxSummary& scaled = results.unit(kShownKeys, c.wide, true);
  return fmt::format(
      "With the scale 1/sqrt(d_k) the width of a head {} of little importance: for each number of "
      "keys the mean entropies of all widths lie within {} nats (without it, within {}); at d_k = "
      "{} with {} keys the mean gradient at the query is {}, the median (10th to 90th percentile) "
      "{}.",
      range < kLittle ? "is" : "is not", number_text(range),
      number_text(entropy_range(results, false)), c.wide, kShownKeys,
      estimate_text(scaled[M::kGradQuery]), median_text(scaled[M::kGradQuery]));
}

std::string exact_finding(const SaturationResults& results) {
  const std::vector<Index> widths = results.widths();
  const Index d = std::ranges::count(widths, Index{1024}) > 0 ? 1024 : widths.back();
  std::string text;
  for (const auto& u : results.units) {
    if (u.scaled || u.d != d || u.n != kShownKeys) continue;
    text += fmt::format(
        "{} {}: a weight is exactly 1 in {} % of the rows, {} % of all weights are exactly 0, the "
        "gradient at the logits is exactly 0 in {} % of the rows",
        text.empty() ? "" : ";", u.is_float ? "float" : "double",
        estimate_text({100 * u.rows.mean(M::kExactOne), 100 * u.rows[M::kExactOne].se}),
        number_text(100 * u.rows.mean(M::kZeroWeights)),
        estimate_text({100 * u.rows.mean(M::kZeroGradient), 100 * u.rows[M::kZeroGradient].se}));
  }
  return fmt::format("Precision, d_k = {} without the scale, {} keys:{}.", d, kShownKeys, text);
}

std::string peak_finding(const SaturationResults& results) {
  std::string text;
  bool elsewhere = true;
  for (const Index n : results.key_counts()) {
    const SaturationResults::OnCurve *top = nullptr, *one = nullptr;
    for (const auto& c : results.curve) {
      if (c.n != n) continue;
      const auto rms = [](const auto* on) { return on->rows.mean(M::kJacobianSquare); };
      if (top == nullptr || rms(&c) > rms(top)) top = &c;
      if (c.s == 1) one = &c;
    }
    elsewhere = elsewhere && top != one;
    text += fmt::format("{} for n = {} it is {} at s = {} and {} at s = 1", text.empty() ? "" : ";",
                        n, estimate_text(top->rows.root(M::kJacobianSquare)), number_text(top->s),
                        estimate_text(one->rows.root(M::kJacobianSquare)));
  }
  return fmt::format(
      "It is {} that 1/sqrt(d_k), which gives logits of spread s = 1, makes softmax pass on most "
      "whatever the number of keys; the root mean square of ||J|| over the values of s tried:{}. "
      "Softmax freezes at s = sqrt(2 ln n).",
      verdict(!elsewhere), text);
}

std::string initialiser_finding(const SaturationResults& results) {
  std::string text;
  for (const auto& i : results.initialised) {
    if (i.scaled || i.cell.d != kShownKeys) continue;
    text += fmt::format("{} {} (width {}) s = {}, entropy {}", text.empty() ? "" : ";", i.cell.init,
                        i.cell.width, estimate_text(i.rows.root(M::kLogitVariance)),
                        estimate_text(i.rows[M::kEntropy]));
  }
  return fmt::format(
      "Whether unscaled attention starts saturated is the initialiser's doing; without the scale, "
      "d_k = {}, {} keys:{}.",
      kShownKeys, kShownKeys, text);
}

}  // namespace

std::vector<std::string> saturation_findings(const SaturationResults& results) {
  const ShownCells c(results);
  return {spread_finding(c),      median_finding(c),        logits_finding(c),
          query_finding(c),       cross_entropy_finding(c), scale_finding(results, c),
          exact_finding(results), peak_finding(results),    initialiser_finding(results)};
}

}  // namespace tapehead
