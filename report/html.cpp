#include "report/html.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/assets.h"
#include "report/escape.h"
#include "report/html_blocks.h"

namespace tapehead {

namespace {

bool has_chart_scripts() {
  return std::ranges::none_of(chart_scripts(), [](const Asset& a) { return a.text.empty(); });
}

// Vega compiles its expressions, for which it needs 'unsafe-eval'; apart from that the page may
// run what stands in it and load nothing.
std::string content_policy() {
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
      "script-src 'unsafe-inline' 'unsafe-eval'{}",
      has_chart_scripts() ? "" : " https://cdn.jsdelivr.net");
}

void append_chart_scripts(std::string& html) {
  if (!has_chart_scripts()) {
    for (const Asset& script : chart_scripts()) {
      html += fmt::format("<script src=\"{}\"></script>\n", script.url);
    }
    return;
  }
  html +=
      "<!-- Vega, Vega-Lite and Vega-Embed: (c) University of Washington Interactive Data Lab and "
      "contributors, BSD 3-clause licence -->\n";
  for (const Asset& script : chart_scripts()) {
    html += "<script>" + inline_script(script.text) + "</script>\n";
  }
}

std::string navigation(const Document& document) {
  if (document.sections.size() < 2) return {};
  std::string html = "<nav aria-label=\"sections\">";
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    html += fmt::format("<a href=\"#section-{}\">{}</a>", i + 1,
                        markup_text(document.sections[i].title));
  }
  return html + "</nav>\n";
}

}  // namespace

std::string to_html(const Document& document) {
  HtmlBlocks blocks;
  const std::string title = markup_text(document.title);
  std::string html = kHtmlBeginning;
  html += fmt::format(
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<header>\n<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n{}</header>\n<main>\n",
      content_policy(), title, page_style(), title, markup_text(document.subtitle),
      navigation(document));
  html +=
      "<noscript><p>Charts and attention maps are drawn by scripts, which are switched off."
      "</p></noscript>\n<p id=\"no-charts\" hidden>The charts need the network: this page loads "
      "Vega-Lite from it, as the program that wrote it was built without.</p>\n";
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    const Section& section = document.sections[i];
    html += fmt::format("<section id=\"section-{}\">\n<h2>{}</h2>\n", i + 1,
                        markup_text(section.title));
    for (const Block& block : section.blocks) blocks.add(block);
    html += blocks.take_html() + "</section>\n";
  }
  html += "</main>\n<footer>Written by tapehead.</footer>\n";
  const std::string data =
      blocks.figures().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  html += "<script type=\"application/json\" id=\"figures\">" + inline_json(data) + "</script>\n";
  append_chart_scripts(html);
  html += fmt::format("<script>\n{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
                      inline_script(attention_script()), inline_script(page_script()));
  return html;
}

}  // namespace tapehead
