#pragma once

#include <string>
#include <variant>
#include <vector>

#include "figures/attention_maps.h"
#include "figures/figures.h"
#include "figures/sample.h"

// A report, apart from how it is shown: sections of text, figures and samples. HTML pages, SVG
// files and what a terminal shows are made of it.

namespace tapehead {

struct Heading {
  std::string text;
};
struct Paragraph {
  std::string text;
};
struct BulletList {
  std::vector<std::string> items;
};
/// A long text, as it is; closed until it is asked for.
struct Listing {
  std::string title, text;
};
/// What a model makes of held-out rows.
struct SampleList {
  std::string title;  ///< whose they are; may be empty
  std::vector<Sample> samples;
};

using Block =
    std::variant<Heading, Paragraph, BulletList, Listing, SampleList, Table, Chart, AttentionMaps>;

struct Section {
  std::string title;
  std::vector<Block> blocks;
};

struct Document {
  std::string title, subtitle;
  std::vector<Section> sections;
  std::vector<std::string> warnings = {};  ///< what could not be read, and why
};

}  // namespace tapehead
