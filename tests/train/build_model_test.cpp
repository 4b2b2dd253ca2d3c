#include "train/build_model.h"

#include "data/copy_exercise.h"
#include "data/prompt_task.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

Config of_kind(const std::string& kind) {
  return resolve_config({.settings = {{"model.kind=" + kind}}});
}

TEST(ModelSizes, AreThoseOfTheTask) {
  const PromptTask together(std::make_unique<CopyExercise>(4, 9), Layout::kCausal);
  const ModelSizes one = model_sizes(together);
  EXPECT_EQ(one.vocabulary, 9 + 3);  // and '>', '|', '.'
  EXPECT_EQ(one.length, 4 + 1 + 4);
  EXPECT_EQ(one.source_length, 0);
  const PromptTask apart(std::make_unique<CopyExercise>(4, 9), Layout::kSourceTarget);
  const ModelSizes two = model_sizes(apart);
  EXPECT_EQ(two.length, 1 + 4);
  EXPECT_EQ(two.source_length, 4);
  EXPECT_EQ(two.source_vocabulary, 0);  // shared
}

TEST(BuildModel, RefusesSourcesThatNobodyReads) {
  const ModelSizes with{.vocabulary = 12, .length = 5, .source_length = 4};
  const ModelSizes without{.vocabulary = 12, .length = 9};
  for (const char* kind : {"encoder", "decoder", "rnn", "lstm", "gru", "conv"}) {
    EXPECT_NO_THROW(build_model(of_kind(kind), without));
    testing::expect_error<ValueError>([&] { build_model(of_kind(kind), with); },
                                      "only an encoder-decoder reads; set model.kind = "
                                      "\"encoder_decoder\"");
  }
  EXPECT_NO_THROW(build_model(of_kind("encoder_decoder"), with));
  testing::expect_error<ValueError>([&] { build_model(of_kind("encoder_decoder"), without); },
                                    "the task has no sources");
}

TEST(BuildModel, GivesSourcesATableOfTheirOwnIfTheyHaveOtherSymbols) {
  const ModelSizes sizes{.vocabulary = 12, .length = 5, .source_vocabulary = 7, .source_length = 4};
  const auto model = build_model(of_kind("encoder_decoder"), sizes);
  EXPECT_EQ(model->store.find("encoder.token.weight").shape(), (Shape{7, 64}));
  EXPECT_EQ(model->store.find("decoder.token.weight").shape(), (Shape{12, 64}));
  EXPECT_EQ(model->store.find("encoder.position.weight").shape(), (Shape{4, 64}));
}

}  // namespace
}  // namespace tapehead
