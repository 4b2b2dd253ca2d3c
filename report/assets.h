#pragma once

#include <span>
#include <string_view>

// The files that a page is made of, which the program carries with it.

namespace tapehead {

/// A script by others.
struct Asset {
  std::string_view name;
  std::string_view text;  ///< empty if it was not to be had when the program was built
  std::string_view url;   ///< where a page loads it from then
};

/// Vega, Vega-Lite and Vega-Embed, in the order in which a page loads them.
std::span<const Asset> chart_scripts();

// assets/page.css, page.js and attention.js. page.js comes last: it begins.
std::string_view page_style();
std::string_view page_script();
std::string_view attention_script();

}  // namespace tapehead
