#include "report/svg_canvas.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/escape.h"

namespace tapehead {

SvgCanvas::SvgCanvas(double width, double height, std::string_view title) {
  const std::string name = markup_text(title);
  text_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\">\n"
      "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height, name);
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view colour,
                     double width) {
  text_ += fmt::format(
      "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" "
      "stroke-width=\"{}\"/>\n",
      x1, y1, x2, y2, colour, width);
}

void SvgCanvas::text(double x, double y, std::string_view text, TextAnchor anchor, double size,
                     std::string_view colour) {
  const char* name = anchor == TextAnchor::kStart    ? "start"
                     : anchor == TextAnchor::kMiddle ? "middle"
                                                     : "end";
  text_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
      x, y, size, name, colour, markup_text(text));
}

void SvgCanvas::vertical_text(double x, double y, std::string_view text, double size) {
  text_ += fmt::format(
      "<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" font-size=\"{}\" "
      "text-anchor=\"middle\" fill=\"#222222\">{}</text>\n",
      x, y, size, markup_text(text));
}

void SvgCanvas::rectangle(double x, double y, double width, double height,
                          std::string_view colour) {
  text_ += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, y,
      width, height, colour);
}

void SvgCanvas::circle(double x, double y, double radius, std::string_view colour) {
  text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", x, y, radius,
                       colour);
}

void SvgCanvas::stroke(const std::string& data, std::string_view colour, double width,
                       std::string_view dash) {
  const std::string dashes = dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
  text_ += fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
      "stroke-linejoin=\"round\"{}/>\n",
      data, colour, width, dashes);
}

void SvgCanvas::fill(const std::string& data, std::string_view colour, double opacity) {
  text_ +=
      fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{:.3f}\"/>\n", data, colour, opacity);
}

std::string SvgCanvas::str() const { return text_ + "</svg>\n"; }

double text_width(std::string_view text, double size) {
  constexpr double kEm = 0.55;
  const auto characters = std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return kEm * size * static_cast<double>(characters);
}

std::vector<std::string> wrapped_text(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string word(text.substr(0, text.find(' ')));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool fits = !lines.empty() && text_width(lines.back() + " " + word, size) <= width;
    if (fits) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

}  // namespace tapehead
