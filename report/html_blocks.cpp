#include "report/html_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "figures/attention_maps.h"
#include "figures/number_text.h"
#include "report/escape.h"
#include "report/vega_lite.h"

namespace tapehead {

namespace {

using Json = nlohmann::ordered_json;

// --- tables ---

constexpr std::size_t kMostRowsAtOnce = 60;  // a longer table scrolls, and says so

bool is_text(const Cell& cell) { return std::holds_alternative<std::string>(cell); }

std::string cell_html(const Cell& cell) {
  std::string html = fmt::format("<td class=\"{}\">{}", is_text(cell) ? "text" : "number",
                                 markup_text(cell_text(cell)));
  const auto* e = std::get_if<Estimate>(&cell);
  if (e != nullptr && e->quantiles) {
    const auto& [q10, median, q90] = *e->quantiles;
    html += fmt::format("<small>{} [{}, {}]</small>", number_text(median), number_text(q10),
                        number_text(q90));
  }
  return html + "</td>";
}

bool has_quantiles(const Table& table) {
  for (const auto& row : table.rows) {
    for (const Cell& cell : row) {
      const auto* e = std::get_if<Estimate>(&cell);
      if (e != nullptr && e->quantiles) return true;
    }
  }
  return false;
}

// --- samples ---

std::string symbols_html(const std::vector<std::string>& symbols, bool words) {
  return markup_text(joined_symbols(symbols, words));
}

std::string predicted_html(const Sample& sample) {
  std::string html;
  for (std::size_t i = 0; i < sample.predicted.size(); ++i) {
    if (sample.words && i > 0) html += ' ';
    const std::string symbol = markup_text(sample.predicted[i]);
    html +=
        sample.wrong(i)
            ? fmt::format("<mark title=\"expected: {}\">{}</mark>",
                          markup_text(i < sample.expected.size() ? sample.expected[i] : ""), symbol)
            : symbol;
  }
  return html;
}

std::string verdict(const Sample& sample) {
  if (sample.numbers || sample.predicted.empty()) return "predicted";
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < sample.predicted.size(); ++i) wrong += sample.wrong(i) ? 1 : 0;
  return wrong == 0 ? "predicted" : fmt::format("{} wrong", wrong);
}

// --- attention maps ---

// Whole numbers of 16 bits, little-endian, 65535 standing for 1; in base64.
std::string encoded_weights(const std::vector<float>& weights) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((weights.size() * 2 + 2) / 3 * 4);
  std::uint32_t bits = 0;
  int bytes = 0;
  const auto add_byte = [&](std::uint32_t byte) {
    bits = bits << 8U | byte;
    if (++bytes < 3) return;
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text += kDigits[bits >> shift & 63U];
    bits = 0;
    bytes = 0;
  };
  constexpr float kFull = 65535;
  for (const float w : weights) {
    const auto whole = static_cast<std::uint32_t>(
        std::lround((std::isfinite(w) ? std::clamp(w, 0.0F, 1.0F) : 0.0F) * kFull));
    add_byte(whole & 255U);
    add_byte(whole >> 8U);
  }
  if (bytes == 0) return text;
  const std::size_t digits = bytes == 1 ? 2 : 3;
  while (bytes != 0) add_byte(0);
  text.replace(text.size() - (4 - digits), 4 - digits, 4 - digits, '=');
  return text;
}

Json maps_json(const AttentionMaps& maps) {
  Json weights = Json::array();
  for (const auto& step : maps.weights) weights.push_back(encoded_weights(step));
  const HeadChoice choice = most_decided_head(maps, maps.steps.size() - 1);
  return {{"queries", maps.queries}, {"keys", maps.keys},   {"layers", maps.layers},
          {"heads", maps.heads},     {"steps", maps.steps}, {"chosen", {choice.layer, choice.head}},
          {"weights", weights}};
}

std::string slider_html(const AttentionMaps& maps) {
  const std::size_t last = maps.steps.size() - 1;
  if (last == 0) return fmt::format("<span>after step {}</span>\n", maps.steps.front());
  return fmt::format(
      "<label class=\"step\">after step <output>{}</output>"
      "<input type=\"range\" min=\"0\" max=\"{}\" value=\"{}\" aria-label=\"training step\">"
      "</label>\n",
      maps.steps.back(), last, last);
}

constexpr const char* kShadeHtml =
    "<label>shade <select class=\"shade\"><option value=\"weight\">weight</option>"
    "<option value=\"row\">share of the row's largest</option>"
    "<option value=\"log\">logarithm (from 0.0001)</option></select></label>\n";
constexpr const char* kZoomHtml =
    "<label>zoom <select class=\"zoom\"><option value=\"1\">whole</option>"
    "<option value=\"2\">2 ×</option><option value=\"4\">4 ×</option>"
    "<option value=\"8\">8 ×</option><option value=\"16\">16 ×</option></select></label>\n";

}  // namespace

void HtmlBlocks::add(const Block& block) {
  const bool chart = std::holds_alternative<Chart>(block);
  if (chart != in_charts_) html_ += chart ? "<div class=\"charts\">\n" : "</div>\n";
  in_charts_ = chart;
  std::visit([this](const auto& b) { add_block(b); }, block);
}

std::string HtmlBlocks::take_html() {
  if (std::exchange(in_charts_, false)) html_ += "</div>\n";
  return std::exchange(html_, {});
}

void HtmlBlocks::add_block(const Heading& heading) {
  html_ += fmt::format("<h3>{}</h3>\n", markup_text(heading.text));
}

void HtmlBlocks::add_block(const Paragraph& paragraph) {
  html_ += fmt::format("<p>{}</p>\n", markup_text(paragraph.text));
}

void HtmlBlocks::add_block(const BulletList& list) {
  html_ += "<ul>\n";
  for (const std::string& item : list.items) {
    html_ += fmt::format("<li>{}</li>\n", markup_text(item));
  }
  html_ += "</ul>\n";
}

void HtmlBlocks::add_block(const Listing& listing) {
  html_ += fmt::format("<details><summary>{}</summary>\n<pre tabindex=\"0\">{}</pre></details>\n",
                       markup_text(listing.title), markup_text(listing.text));
}

void HtmlBlocks::add_block(const SampleList& list) {
  if (!list.title.empty()) add_block(Heading{list.title});
  html_ += "<div class=\"samples\">\n";
  for (const Sample& sample : list.samples) {
    html_ += fmt::format(
        "<div class=\"sample\"><dl><dt>input</dt><dd>{}</dd>\n<dt>expected</dt><dd>{}</dd>\n"
        "<dt>{}</dt><dd>{}</dd></dl></div>\n",
        symbols_html(sample.input, sample.words), symbols_html(sample.expected, sample.words),
        verdict(sample), predicted_html(sample));
  }
  html_ += "</div>\n";
}

void HtmlBlocks::add_block(const Table& table) {
  const std::string title = markup_text(table.title);
  const bool scrolls = table.rows.size() > kMostRowsAtOnce;
  const std::string cue =
      scrolls ? fmt::format(" <span class=\"rows\">{} rows, scroll</span>", table.rows.size()) : "";
  // Outside of what scrolls, which would cut it.
  if (scrolls || !title.empty())
    html_ += fmt::format("<p class=\"caption\">{}{}</p>\n", title, cue);
  html_ += fmt::format(
      "<div class=\"wide{}\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>\n<thead><tr>",
      scrolls ? " long" : "", title.empty() ? "table" : title);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool number = !table.rows.empty() && !is_text(table.rows.front()[c]);
    html_ += fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"number\"" : "",
                         markup_text(table.columns[c]));
  }
  html_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html_ += "<tr>";
    for (const Cell& cell : row) html_ += cell_html(cell);
    html_ += "</tr>\n";
  }
  html_ += "</tbody></table></div>\n";
  if (has_quantiles(table)) {
    html_ += "<p class=\"note\">mean ± standard error; below, median [10th, 90th percentile]</p>\n";
  }
}

void HtmlBlocks::add_block(const Chart& chart) {
  Json& charts = figures_["charts"];
  const std::string label =
      fmt::format("{}: {} against {}", chart.title, chart.y_label, chart.x_label);
  html_ += fmt::format(
      "<figure class=\"chart\" data-chart=\"{}\"><figcaption>{}</figcaption>\n"
      "<div class=\"plot\" aria-label=\"{}\"></div>\n",
      charts.size(), markup_text(chart.title), markup_text(label));
  if (!chart.note.empty()) {
    html_ += fmt::format("<p class=\"note\">{}</p>\n", markup_text(chart.note));
  }
  html_ += "</figure>\n";
  charts.push_back(vega_lite_chart(chart));
}

void HtmlBlocks::add_block(const AttentionMaps& maps) {
  if (maps.steps.empty() || maps.layers.empty() || maps.queries.empty() || maps.keys.empty()) {
    return;
  }
  constexpr std::size_t kZoomFrom = 48;  // where cells become small
  const bool large = std::max(maps.queries.size(), maps.keys.size()) > kZoomFrom;
  html_ += fmt::format(
      "<figure class=\"map\" data-map=\"{}\"><figcaption>{}</figcaption>\n"
      "<div class=\"options\">{}{}{}<label><span class=\"ends\">0</span><span "
      "class=\"scale\"></span><span class=\"ends\">1</span></label></div>\n"
      "<div class=\"map-body\"><div><div class=\"map-view\">"
      "<canvas tabindex=\"0\" role=\"img\" aria-label=\"{}: rows are queries, columns are keys; "
      "the arrow keys move from weight to weight\"></canvas><div class=\"tip\" "
      "hidden></div></div>\n"
      "<p class=\"readout\" aria-live=\"polite\">Point at a weight, or move with the arrow keys."
      "</p></div>\n<div class=\"heads\" role=\"group\" "
      "aria-label=\"heads\"></div></div></figure>\n",
      figures_["maps"].size(), markup_text(maps.title), slider_html(maps), kShadeHtml,
      large ? kZoomHtml : "", markup_text(maps.title));
  figures_["maps"].push_back(maps_json(maps));
}

}  // namespace tapehead
