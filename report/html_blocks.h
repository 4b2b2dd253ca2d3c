#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "report/document.h"

namespace tapehead {

/// The blocks of a page as HTML, and the data of its figures.
class HtmlBlocks {
 public:
  /// Appends a block.
  void add(const Block& block);
  /// The HTML of the blocks since the last call.
  std::string take_html();
  /// {"charts": [...], "maps": [...]}, for page.js and attention.js.
  const nlohmann::ordered_json& figures() const { return figures_; }

 private:
  void add_block(const Heading& heading);
  void add_block(const Paragraph& paragraph);
  void add_block(const BulletList& list);
  void add_block(const Listing& listing);
  void add_block(const SampleList& list);
  void add_block(const Table& table);
  void add_block(const Chart& chart);
  void add_block(const AttentionMaps& maps);

  std::string html_;
  bool in_charts_ = false;  // charts that follow each other stand side by side
  nlohmann::ordered_json figures_ = {{"charts", nlohmann::ordered_json::array()},
                                     {"maps", nlohmann::ordered_json::array()}};
};

}  // namespace tapehead
