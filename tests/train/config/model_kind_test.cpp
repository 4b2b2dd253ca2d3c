#include "train/config/model_kind.h"

#include <string>

#include <gtest/gtest.h>

#include "train/build_model.h"

namespace tapehead {
namespace {

// What the table says of a kind is what the model that is built does.
TEST(ModelTraits, AreThoseOfTheModelsThatAreBuilt) {
  for (const ModelTraits& traits : model_traits()) {
    SCOPED_TRACE(traits.name);
    Config config;
    config.model.kind = traits.kind;
    ModelSizes sizes{.vocabulary = 7, .length = 5};
    if (traits.reads_sources()) sizes.source_length = 5;
    const auto model = build_model(config, sizes);
    EXPECT_EQ(model->net->is_causal(), traits.is_causal());

    Tape<float> tape(Tape<float>::Mode::kInference);
    const TokenTensor tokens({1, 5}, {1, 2, 3, 4, 5});
    SequenceInput<float> input{.tokens = tokens};
    if (traits.reads_sources()) input.sources = tokens;
    ModelTrace<float> trace;
    model->net->hidden(tape, input, {}, &trace);
    EXPECT_EQ(!trace.attention.empty(), traits.attends);
    EXPECT_EQ(model->store.contains("recurrent.weight_hh_l0"), traits.is_recurrent());
    EXPECT_EQ(model->store.contains("blocks.0.conv.weight"), traits.convolves);
    EXPECT_EQ(model->store.contains("encoder.position.weight"), traits.reads_sources());
  }
}

TEST(ModelTraits, AreFoundByKind) {
  for (const ModelTraits& traits : model_traits()) EXPECT_EQ(&traits_of(traits.kind), &traits);
}

}  // namespace
}  // namespace tapehead
