#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tapehead {

/// Where a text stands about its point.
enum class TextAnchor { kStart, kMiddle, kEnd };

/// A picture that grows element by element. Numbers are written with two decimals, texts escaped.
class SvgCanvas {
 public:
  SvgCanvas(double width, double height, std::string_view title);

  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1);
  void text(double x, double y, std::string_view text, TextAnchor anchor = TextAnchor::kStart,
            double size = 13, std::string_view colour = "#222222");
  /// Read from below to above, with its middle at the point.
  void vertical_text(double x, double y, std::string_view text, double size = 13);
  void rectangle(double x, double y, double width, double height, std::string_view colour);
  void circle(double x, double y, double radius, std::string_view colour);
  /// `data` as of a path's attribute d; not filled.
  void stroke(const std::string& data, std::string_view colour, double width,
              std::string_view dash);
  void fill(const std::string& data, std::string_view colour, double opacity);

  /// The whole file.
  std::string str() const;

 private:
  std::string text_;
};

/// About how wide a text is, in its own size: half an em for each character.
double text_width(std::string_view text, double size);
/// The text's words in lines of at most `width`, as far as the words allow.
std::vector<std::string> wrapped_text(std::string_view text, double size, double width);

}  // namespace tapehead
