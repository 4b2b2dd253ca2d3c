#include "train/config/config.h"

#include <fmt/format.h>

#include <locale>

#include "tests/support/expect.h"
#include "train/config/config_keys.h"

namespace tapehead {
namespace {

Config parse(std::string_view toml) { return parse_config(toml, "run.toml"); }

void expect_refused(std::string_view toml, const std::string& regex) {
  testing::expect_error<ValueError>([&] { parse(toml); }, regex);
}

// A configuration in which every key differs from its default.
Config unusual_config() {
  Config c;
  c.task = {.name = "text",
            .path = "a \"b\" \\c\n\xc3\xa9.txt",
            .length = 7,
            .symbols = 5,
            .digits = 4,
            .reversed = false,
            .pairs = 3,
            .keys = 9,
            .values = 8,
            .held_out = 77,
            .validation = 1.0 / 3};
  c.model = {.kind = ModelKind::kDecoder,
             .d_model = 96,
             .layers = 3,
             .heads = 6,
             .kv_heads = 2,
             .head_dim = 12,
             .d_ff = 100,
             .position = PositionKind::kNone,
             .attention = AttentionScores::kDot,
             .scale = {AttentionScale::Kind::kNumber, 0.1},
             .qk_norm = true,
             .logit_soft_cap = 30,
             .sigma_reparam = true,
             .share_qkv = SharedProjections::kKV,
             .norm = NormPlacement::kPost,
             .norm_kind = NormKind::kRms,
             .activation = Activation::kSilu,
             .dropout = 0.1,
             .bias = false,
             .tie_embeddings = true,
             .init = InitOptions::Scheme::kNormal};
  c.optimizer = {.name = OptimizerKind::kSgd,
                 .lr = 3e-5,
                 .min_lr = 1e-300,
                 .warmup = 0,
                 .schedule = ScheduleKind::kLinear,
                 .betas = {0.1, 0.123456789012345678},
                 .eps = 1e-12,
                 .amsgrad = false,
                 .momentum = 0.9,
                 .nesterov = true,
                 .weight_decay = 5e-324,
                 .decay_all = false,
                 .decay_embeddings = true,
                 .clip = 1e22};
  c.train = {.steps = 1,
             .batch = 3,
             .accumulate = 2,
             .seed = 9007199254740993,
             .shards = 3,
             .eval_every = 0,
             .eval_rows = 11,
             .target_accuracy = 0.99,
             .checkpoint_every = 0,
             .check_finite = true,
             .label_smoothing = 0.05};
  return c;
}

// --- Reading what was written --------------------------------------------------------------------

TEST(Config, ReadsBackWhatItWrote) {
  EXPECT_EQ(parse(to_toml(Config{})), Config{});
  const Config unusual = unusual_config();
  EXPECT_EQ(parse(to_toml(unusual)), unusual);
  EXPECT_EQ(to_toml(parse(to_toml(unusual))), to_toml(unusual));
}

TEST(Config, WritesEveryKeyOnce) {
  const std::string text = fmt::format("\n{}", to_toml(Config{}));
  for (const ConfigKey& key : config_keys()) {
    const std::string line = fmt::format("\n{} = ", key.short_name());
    EXPECT_NE(text.find(line), std::string::npos) << key.name;
  }
}

TEST(Config, DoesNotDependOnTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string expected = to_toml(unusual_config());
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const std::string written = to_toml(unusual_config());
  const Config back = parse(written);
  std::locale::global(before);
  EXPECT_EQ(written, expected);
  EXPECT_EQ(back, unusual_config());
}

TEST(Config, TakesWholeNumbersAsFloats) {
  EXPECT_EQ(parse("optimizer.clip = 2").optimizer.clip, 2.0);
  EXPECT_EQ(parse("[optimizer]\nbetas = [0, 0.5]").optimizer.betas[0], 0.0);
}

TEST(Config, ScaleIsAWordOrANumber) {
  EXPECT_EQ(parse("[model]\nscale = \"sqrt\"").model.scale.kind, AttentionScale::Kind::kSqrt);
  EXPECT_EQ(parse("[model]\nscale = 0.25").model.scale,
            (AttentionScale{AttentionScale::Kind::kNumber, 0.25}));
  expect_refused("[model]\nscale = \"root\"",
                 "run.toml:2: model.scale = \"root\"; it must be one of \"inv_sqrt\".*or a number");
}

// --- Mistakes ------------------------------------------------------------------------------------

TEST(ConfigErrors, UnknownKeyGivesLineAndHint) {
  expect_refused("[model]\nlayers = 2\nhead = 4",
                 "run.toml:3: unknown key 'model.head'; did you mean 'model.heads'\\?");
  expect_refused("[train]\nlr = 0.1", "run.toml:2: .*'train.lr'; did you mean 'optimizer.lr'");
  expect_refused("d_model = 3", "run.toml:1: unknown key 'd_model'; did you mean 'model.d_model'");
  expect_refused("\n[modle]\nlayers = 3", "run.toml:3: .*'modle.layers'.*'model.layers'");
  expect_refused("[model]\nxylophone = 3", "'model.xylophone'; all keys are listed in");
  expect_refused("[model.heads]\ncount = 3", "run.toml:1: model.heads = a section");
}

TEST(ConfigErrors, WrongTypeGivesValueAndWhatIsAllowed) {
  expect_refused("[model]\nd_model = \"big\"",
                 "run.toml:2: model.d_model = \"big\" \\(a string\\); it must be a whole number "
                 ">= 1");
  expect_refused("[train]\nsteps = 1.5", "train.steps = 1.5 \\(a float\\)");
  expect_refused("[model]\nbias = 1", "model.bias = 1 \\(a whole number\\); .*true or false");
  expect_refused("[model]\nnorm = true", "model.norm = true .*one of \"pre\", \"post\"");
  expect_refused("[optimizer]\nbetas = [0.9]", "optimizer.betas = a list of 1; .*two numbers");
  expect_refused("[optimizer]\nlr = 1979-05-27", "optimizer.lr = a date");
  expect_refused("model = 3", "run.toml:1: unknown key 'model'");
}

TEST(ConfigErrors, ImpossibleValues) {
  expect_refused("[model]\n\nheads = 0", "run.toml:3: model.heads = 0; .*whole number >= 1");
  expect_refused("[train]\nbatch = -4", "run.toml:2: train.batch = -4; .*>= 1");
  expect_refused("[optimizer]\nbetas = [0.9, 1.0]",
                 "run.toml:2: optimizer.betas = \\[0.9, 1.0\\]; .*>= 0 and < 1");
  expect_refused("[optimizer]\nlr = -0.5", "optimizer.lr = -0.5; it must be a number >= 0");
  expect_refused("[optimizer]\nlr = nan", "optimizer.lr = nan");
  expect_refused("[optimizer]\nlr = inf", "optimizer.lr = inf");
  expect_refused("[optimizer]\neps = 0", "optimizer.eps = 0.0; it must be a number > 0");
  expect_refused("[task]\nvalidation = 1.0", "task.validation = 1.0; .*> 0 and < 1");
  expect_refused("[task]\nvalidation = 0.0", "task.validation = 0.0; .*> 0 and < 1");
  expect_refused("[train]\ntarget_accuracy = 1.5", "target_accuracy = 1.5; .*>= 0 and <= 1");
  expect_refused("[model]\nkind = \"cnn\"", "model.kind = \"cnn\"; .*\"encoder\", \"decoder\"");
  expect_refused("[model]\nkind = \"conv\"\ndilation = 0", "model.dilation = 0; .*>= 1");
  expect_refused("[model]\ndropout = 1.0", "model.dropout = 1.0; .*< 1");
}

TEST(ConfigErrors, ImpossibleCombinationsNameBothPlaces) {
  expect_refused("[model]\nheads = 5\nd_model = 64",
                 "run.toml:2: model.heads = 5, but model.d_model = 64 \\(run.toml:3\\): .*divide");
  expect_refused("[model]\nheads = 4\nhead_dim = 3\nposition = \"rope\"",
                 "run.toml:3: model.head_dim = 3, but model.position = \"rope\" .*head_dim or "
                 "d_model / heads, must be even");
  expect_refused("[model]\nheads = 4\nkv_heads = 3",
                 "run.toml:3: model.kv_heads = 3, but model.heads = 4 \\(run.toml:2\\)");
  expect_refused("[optimizer]\nlr = 0.125\nmin_lr = 0.25",
                 "run.toml:3: optimizer.min_lr = 0.25, but optimizer.lr = 0.125");
  expect_refused("[optimizer]\nname = \"sgd\"\nnesterov = true",
                 "run.toml:3: .*optimizer.momentum = 0.0 \\(default\\): Nesterov needs");
  expect_refused("[optimizer]\nmomentum = 0.5", "run.toml:2: .*momentum belongs to sgd");
  expect_refused("[optimizer]\nnesterov = true", "run.toml:2: .*nesterov belongs to sgd");
  expect_refused("[optimizer]\nname = \"sgd\"\namsgrad = true", "run.toml:3: .*amsgrad belongs");
  expect_refused("[task]\nname = \"text\"", "run.toml:2: .*task.path = \"\" .*needs a file");
  expect_refused("[task]\npath = \"x\"", "run.toml:2: .*this task reads no file");
  expect_refused("[task]\nname = \"text\"\npath = \"x\"\n[model]\nkind = \"encoder\"",
                 "run.toml:5: .*text is learned by a decoder");
  expect_refused("[task]\nname = \"text\"\npath = \"x\"\n[model]\nkind = \"encoder_decoder\"",
                 "run.toml:5: .*text has no sources");
  expect_refused("[task]\nname = \"regression\"\n[train]\ntarget_accuracy = 0.5",
                 "run.toml:4: train.target_accuracy = 0.5, .*neither right nor wrong");
  expect_refused("[task]\nname = \"regression\"\n[train]\nlabel_smoothing = 0.5",
                 "run.toml:4: train.label_smoothing = 0.5, .*real numbers");
  expect_refused("[task]\nname = \"regression\"\n[model]\ntie_embeddings = true",
                 "run.toml:4: model.tie_embeddings = true, .*no token table");
  expect_refused("[model]\nscale = 1e39",
                 "run.toml:2: model.scale = 1e\\+39.*a number that float32 holds");
  expect_refused("[model]\nlogit_soft_cap = 1e39", "run.toml:2: model.logit_soft_cap = 1e\\+39");
  expect_refused("[train]\nbatch = 4\nshards = 5", "run.toml:3: train.shards = 5, .*batch = 4");
}

TEST(ConfigErrors, ImpossibleKindsOfAttentionSayWhyAndWhatToChange) {
  expect_refused("[model]\nattention = \"additive\"\nposition = \"rope\"",
                 "run.toml:3: model.position = \"rope\", but model.attention = \"additive\" "
                 "\\(run.toml:2\\): .*choose dot-product attention or other positions");
  expect_refused("[model]\nattention = \"additive\"\nqk_norm = true",
                 "qk_norm is for dot products");
  expect_refused("[model]\nattention = \"additive\"\nscale = \"log_length\"",
                 "the log-length scale is for dot products");
  expect_refused("[model]\nqk_norm = true\nscale = \"sqrt\"",
                 "run.toml:3: model.scale = \"sqrt\", .*qk_norm learns the scale itself");
  expect_refused("[model]\nd_model = 20\nposition = \"rope_halves\"",
                 "model.heads = 4, but model.d_model = 20 .*d_model / heads, must be even");
  expect_refused("[model]\nheads = 1\nposition = \"hard_alibi\"",
                 "model.heads = 1, but model.position = \"hard_alibi\" .*at least 2 heads");
  expect_refused("[model]\nkind = \"encoder\"\nheads = 2\nposition = \"hard_alibi\"",
                 "an encoder's attention needs at least 3 heads");
  expect_refused("[model]\nkind = \"encoder_decoder\"\nheads = 2\nposition = \"hard_alibi\"",
                 "at least 3 heads");
  expect_refused("[model]\nkv_heads = 1\nshare_qkv = \"qk\"",
                 "model.share_qkv = \"qk\", but model.kv_heads = 1 .*leave kv_heads out");
  EXPECT_EQ(parse("[model]\nqk_norm = true\nscale = 3").model.scale.number, 3.0);
}

// A key that a kind of model would not heed is refused, but for the values of a complete
// configuration, such as a run's folder holds.
TEST(ConfigErrors, KeysOfOtherKindsOfModel) {
  const auto refused = [](const char* kind, const std::string& setting, const std::string& why) {
    expect_refused(fmt::format("[model]\nkind = \"{}\"\n{}", kind, setting),
                   fmt::format("run.toml:3: model.{}, but model.kind = \"{}\" .run.toml:2.: {}",
                               setting, kind, why));
  };
  for (const char* kind : {"rnn", "lstm", "gru"}) {
    refused(kind, "heads = 8", "this kind of model has no attention; leave the key out");
    refused(kind, "kv_heads = 1", "this kind of model has no attention");
    refused(kind, "head_dim = 8", "this kind of model has no attention");
    refused(kind, "init = \"unit_qk\"",
            ".*this kind of model has no attention; set pytorch or normal");
    refused(kind, "d_ff = 100", "a recurrent network has no feed-forward layers or norms");
    refused(kind, "norm = \"post\"", "a recurrent network has no feed-forward layers");
    refused(kind, "kernel_size = 5", "only conv has a kernel");
  }
  refused("conv", "position = \"sinusoidal\"", "this kind of model has no attention");
  refused("conv", "init = \"unit_qk\"", ".*this kind of model has no attention");
  refused("decoder", "dilation = 3", "only conv has a kernel");
}

TEST(Config, AHeadMayHaveAWidthOfItsOwn) {
  const Config c = parse_config("[model]\nheads = 5\nhead_dim = 3", "run.toml");
  EXPECT_EQ(c.model.effective_head_dim(), 3);
  EXPECT_EQ(ModelConfig{}.effective_head_dim(), 16);
}

TEST(Config, EveryKindIsReadBackAsItWasCompleted) {
  for (const char* kind : {"encoder", "encoder_decoder", "rnn", "lstm", "gru", "conv"}) {
    const Config c =
        resolve_config({.settings = {{fmt::format("model.kind={}", kind)}, {"model.d_model=52"}}});
    EXPECT_EQ(parse(to_toml(c)), c) << kind;
  }
  const Config conv = parse("[model]\nkind = \"conv\"\nkernel_size = 5\ndilation = 3\nd_ff = 7");
  EXPECT_EQ(parse(to_toml(conv)), conv);
  EXPECT_EQ(parse("[model]\nkind = \"lstm\"\nd_model = 50").model.d_model, 50);  // 4 heads or not
}

TEST(ConfigErrors, WhatIsNoTomlGivesTheLine) {
  testing::expect_error<IoError>([] { parse("[model]\nheads = = 3"); },
                                 "run.toml:2: this is not TOML");
  testing::expect_error<IoError>([] { parse("[model]\nheads = 3\nheads = 4"); },
                                 "run.toml:3: this is not TOML");
}

TEST(ConfigErrors, AnUnreadableFileIsNamed) {
  testing::expect_error<IoError>([] { resolve_config({.file = "no/such.toml"}); },
                                 "no/such.toml: cannot open .*No such file");
  testing::expect_error<IoError>([] { resolve_config({.file = "/"}); }, "/: this is a folder");
}

TEST(ConfigErrors, StructsAreCheckedToo) {
  Config config;
  config.model.heads = 7;
  testing::expect_error<ValueError>([&] { check_config(config); },
                                    "default: model.heads = 7, but model.d_model = 64");
  config.train.batch = 0;
  testing::expect_error<ValueError>([&] { check_config(config); }, "train.batch = 0");
}

}  // namespace
}  // namespace tapehead
