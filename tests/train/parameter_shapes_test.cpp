#include "train/parameter_shapes.h"

#include <gtest/gtest.h>

namespace tapehead {
namespace {

Config config_with(std::vector<Setting> settings) {
  return resolve_config({.settings = std::move(settings)});
}

ModelSizes sizes_of(const Config& config) {
  ModelSizes sizes{.vocabulary = 13, .length = 21};
  if (config.model.kind == ModelKind::kEncoderDecoder) sizes.source_length = 8;
  return sizes;
}

// Two layers are built to know any number of them.
TEST(ParameterShapes, CountWhatModelsOfEveryNumberOfLayersHave) {
  for (const char* kind : {"encoder", "decoder", "encoder_decoder", "rnn", "lstm", "gru", "conv"}) {
    for (const char* layers : {"1", "2", "3", "5"}) {
      SCOPED_TRACE(std::string(kind) + " of " + layers);
      const Config config = config_with(
          {{"model.kind=" + std::string(kind)}, {"model.layers=" + std::string(layers)}});
      const ModelSizes sizes = sizes_of(config);
      EXPECT_EQ(parameter_shapes(config, sizes).count(),
                static_cast<double>(build_model(config, sizes)->store.parameter_count()));
    }
  }
}

TEST(ParameterShapes, AreThoseOfTheModel) {
  for (const char* kind : {"decoder", "encoder_decoder", "lstm", "conv"}) {
    SCOPED_TRACE(kind);
    const Config config = config_with({{"model.kind=" + std::string(kind)}, {"model.layers=2"}});
    const ModelSizes sizes = sizes_of(config);
    const ParameterShapes shapes = parameter_shapes(config, sizes);
    const auto model = build_model(config, sizes);
    EXPECT_EQ(shapes.first.size() + shapes.layer.size(), model->store.parameters().size());
    for (const auto& part : {shapes.first, shapes.layer}) {
      for (const ParameterShape& p : part) {
        ASSERT_TRUE(model->store.contains(p.name)) << p.name;
        EXPECT_EQ(model->store.find(p.name).shape(), p.shape);
        EXPECT_EQ(model->store.find(p.name).kind(), p.kind);
      }
    }
  }
}

}  // namespace
}  // namespace tapehead
