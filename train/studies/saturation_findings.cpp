#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "train/report/text_table.h"
#include "train/studies/saturation.h"

namespace tapehead {

namespace {

using M = RowMeasure;

std::string estimate_text(const Estimate& e) { return cell_text(Cell(e)); }
std::string median_text(const Estimate& e) { return number_text(e.quantiles->at(1)); }

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
      "Seeds {} (mean +- standard error over the rows). Without the scale the logits of a head of "
      "width {} have standard deviation {} (closed form "
      "sqrt(d_k) = {}), and softmax is close to a hard choice: with {} keys the mean entropy is {} "
      "nats of at most {}, a weight is above 0.99 in {:.1f} % of the rows.",
      fmt::join(kSaturationSeeds, ", "), c.wide, estimate_text(c.at_wide.root(M::kLogitVariance)),
      number_text(std::sqrt(static_cast<double>(c.wide))), kShownKeys,
      estimate_text(c.at_wide[M::kEntropy]), number_text(std::log(static_cast<double>(kShownKeys))),
      100 * c.at_wide.mean(M::kAbove99));
}

std::string median_finding(const ShownCells& c) {
  return fmt::format(
      "\"Without the scale gradients vanish\" is true of the typical row: the median norm of the "
      "gradient falls from {} to {} at the logits and from {} to {} at the query, from d_k = {} to "
      "{} ({} keys).",
      median_text(c.at_narrow[M::kGradLogits]), median_text(c.at_wide[M::kGradLogits]),
      median_text(c.at_narrow[M::kGradQuery]), median_text(c.at_wide[M::kGradQuery]), c.narrow,
      c.wide, kShownKeys);
}

std::string logits_finding(const ShownCells& c) {
  return fmt::format(
      "It is true, if slower, of the mean gradient at the logits: {} at d_k = {}, {} at {}; "
      "between "
      "{} and {} it goes as d_k to the power {} (in the limit -1/2).",
      estimate_text(c.at_narrow[M::kGradLogits]), c.narrow,
      estimate_text(c.at_wide[M::kGradLogits]), c.wide, c.fit, c.wide,
      estimate_text(c.exponent_of(c.at_fit[M::kGradLogits], c.at_wide[M::kGradLogits])));
}

std::string query_finding(const ShownCells& c) {
  const Estimate& narrow = c.at_narrow[M::kGradQuery];
  const Estimate& wide = c.at_wide[M::kGradQuery];
  const bool falls = wide.mean + 2 * wide.se < narrow.mean - 2 * narrow.se;
  return fmt::format(
      "It is {} of the mean gradient at the query: {} at d_k = {}, {} at {}. The keys' length, "
      "sqrt(d_k), makes up for what the logits lose. Its root mean square goes as d_k to the power "
      "{} (in the limit +1/4): {} at {}, {} at {}. So a few rows carry it all; gradients are "
      "sparse and of high variance rather than small.",
      falls ? "true" : "false", estimate_text(narrow), c.narrow, estimate_text(wide), c.wide,
      estimate_text(
          c.exponent_of(c.at_fit.root(M::kGradQuerySquare), c.at_wide.root(M::kGradQuerySquare))),
      estimate_text(c.at_narrow.root(M::kGradQuerySquare)), c.narrow,
      estimate_text(c.at_wide.root(M::kGradQuerySquare)), c.wide);
}

std::string cross_entropy_finding(const ShownCells& c) {
  return fmt::format(
      "A cross-entropy's own gradient at its logits, ||p - e_y||, does not vanish under "
      "saturation: "
      "{} at d_k = {}, {} at {} (a wrong hard choice has sqrt(2)). What vanishes is the gradient "
      "through attention weights.",
      estimate_text(c.at_narrow[M::kGradCrossEntropy]), c.narrow,
      estimate_text(c.at_wide[M::kGradCrossEntropy]), c.wide);
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
  const SoftmaxSummary& scaled = results.unit(kShownKeys, c.wide, true);
  return fmt::format(
      "With the scale 1/sqrt(d_k) nothing depends on the width: for each number of keys the mean "
      "entropies of all widths lie within {} nats (without it, within {}); at d_k = {} the "
      "gradient "
      "at the query is {} in the mean and {} in the median.",
      number_text(entropy_range(results, true)), number_text(entropy_range(results, false)), c.wide,
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
  for (const Index n : results.key_counts()) {
    double top = 0, at = 0, at_one = 0;
    for (const auto& c : results.curve) {
      if (c.n != n) continue;
      const double rms = c.rows.root(M::kJacobianSquare).mean;
      if (rms > top) at = c.s;
      top = std::max(top, rms);
      if (c.s == 1) at_one = rms;
    }
    text += fmt::format("{} for n = {} at s = {}, {:.2f} times what s = 1 passes on",
                        text.empty() ? "" : ";", n, number_text(at), top / at_one);
  }
  return fmt::format(
      "1/sqrt(d_k), that is s = 1, does not maximise what softmax passes on; it makes it the same "
      "for every width. The root mean square of ||J|| is largest{}. The more keys, the larger the "
      "best s (softmax freezes at sqrt(2 ln n)).",
      text);
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
