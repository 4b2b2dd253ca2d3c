#include "analysis/attention_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tapehead {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names_of(const std::vector<AttentionLayer>& layers,
                                  std::string (*name)(const std::vector<AttentionLayer>&,
                                                      std::size_t)) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < layers.size(); ++i) names.push_back(name(layers, i));
  return names;
}

// By what the traces say, whatever the paths are.
TEST(AttentionLayers, AreNamedByTheirKindAndCountedWithinIt) {
  using enum AttentionKind;
  const std::vector<AttentionLayer> layers = {
      {.path = "a", .kind = kSource}, {.path = "b", .kind = kSource},
      {.path = "c", .kind = kSelf},   {.path = "encoder.d", .kind = kCross},
      {.path = "e", .kind = kSelf},   {.path = "f", .kind = kCross}};
  EXPECT_THAT(
      names_of(layers, layer_title),
      ElementsAre("encoder layer 1", "encoder layer 2", "decoder layer 1",
                  "decoder layer 1 to source", "decoder layer 2", "decoder layer 2 to source"));
  EXPECT_THAT(names_of(layers, short_layer_name), ElementsAre("encoder 1", "encoder 2", "decoder 1",
                                                              "cross 1", "decoder 2", "cross 2"));
}

TEST(AttentionLayers, OfOneStackNeedNoMoreThanANumber) {
  const std::vector<AttentionLayer> layers = {{.path = "encoder.blocks.0"}, {.path = "blocks.1"}};
  EXPECT_THAT(names_of(layers, layer_title), ElementsAre("layer 1", "layer 2"));
  EXPECT_THAT(names_of(layers, short_layer_name), ElementsAre("1", "2"));
}

TEST(AttentionLayers, AreThoseOfTheTrace) {
  ModelTrace<float> trace;
  AttentionTrace<float>& a = trace.attention.emplace_back();
  a.layer = "x";
  a.kind = AttentionKind::kCross;
  a.options.heads = 3;
  EXPECT_THAT(attention_layers(trace), ElementsAre(AttentionLayer{"x", AttentionKind::kCross, 3}));
}

}  // namespace
}  // namespace tapehead
