#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "data/recall_exercise.h"
#include "data/task_registry.h"
#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"
#include "train/config/config.h"
#include "train/config/config_keys.h"
#include "train/config/presets.h"

namespace tapehead {
namespace {

Config with_settings(std::vector<Setting> settings) {
  return resolve_config({.settings = std::move(settings)});
}

// --- Settings ------------------------------------------------------------------------------------

TEST(Settings, TakeTomlAndBareWords) {
  const Config c = with_settings({{"train.steps=17"},
                                  {"model.norm=post"},
                                  {"model.activation = \"relu\""},
                                  {"model.scale=sqrt"},
                                  {"optimizer.betas=[0.5, 0.75]"},
                                  {"model.bias=false"},
                                  {"optimizer.lr=1e-2"}});
  EXPECT_EQ(c.train.steps, 17);
  EXPECT_EQ(c.model.norm, NormPlacement::kPost);
  EXPECT_EQ(c.model.activation, Activation::kRelu);
  EXPECT_EQ(c.model.scale, AttentionScale{AttentionScale::Kind::kSqrt});
  EXPECT_EQ(c.optimizer.betas, (std::array<double, 2>{0.5, 0.75}));
  EXPECT_FALSE(c.model.bias);
  EXPECT_EQ(c.optimizer.lr, 1e-2);
}

TEST(Settings, TextIsTakenAsItStands) {
  const auto path_of = [](const std::string& value) {
    return with_settings({{"task.name=text"}, {"task.path=" + value}}).task.path;
  };
  EXPECT_EQ(path_of("/tmp/my file=1.txt"), "/tmp/my file=1.txt");
  EXPECT_EQ(path_of("1979"), "1979");
  EXPECT_EQ(path_of("true"), "true");
  EXPECT_EQ(path_of("'quoted # text'"), "quoted # text");
}

TEST(Settings, ErrorsNameTheOption) {
  const auto refused = [](const Setting& setting, const std::string& regex) {
    testing::expect_error<ValueError>([&] { with_settings({setting}); }, regex);
  };
  refused({"model.head=3"}, "^--set model.head=3: unknown key 'model.head'; did you mean");
  refused({"train.steps=many"}, "^--set train.steps=many: train.steps = \"many\" \\(a string\\)");
  refused({"train.steps=-3", "--steps -3"}, "^--steps -3: train.steps = -3; .*>= 1");
  refused({"train.steps"}, "^--set train.steps: there is no '='; write KEY=VALUE");
  refused({"=3"}, "^--set =3: there is no key before the '='; write KEY=VALUE");
  refused({"train.seed=99999999999999999999"},
          "does not fit in 64 bits; it must be a whole number");
  refused({"optimizer.lr=1e999"}, "does not fit in 64 bits; it must be a number >= 0");
  refused({"train.steps="}, "^--set train.steps=: train.steps = \"\" \\(a string\\)");
  refused({"train.steps=1\nseed=2"}, "train.steps = .* \\(a string\\)");
  refused({"model.heads=3"}, "^--set model.heads=3: model.heads = 3, but model.d_model = 64");
}

TEST(Settings, AllMistakesAreReportedAtOnce) {
  testing::expect_error<ValueError>(
      [] {
        with_settings({{"=3"}, {"train.steps=0"}, {"model.head=3"}, {"model.norm=post"}});
      },
      "train.steps = 0; .*\n.*unknown key 'model.head'");
  testing::expect_error<ValueError>(
      [] {
        with_settings({{"model.heads=3"}, {"optimizer.nesterov=true"}});
      },
      "the heads must divide d_model, or head_dim must be set\n.*nesterov belongs to sgd");
}

// An option hands over a number, and errors say what the user typed.
TEST(Settings, AFieldIsSetWithoutTextBetween) {
  const auto steps = [](Index value) {
    return set_field(&Config::train, &TrainConfig::steps, value, fmt::format("--steps {}", value));
  };
  EXPECT_EQ(with_settings({{"train.steps=5"}, steps(7)}).train.steps, 7);
  EXPECT_EQ(with_settings({steps(7), {"train.steps=5"}}).train.steps, 5);
  testing::expect_error<ValueError>([&] { with_settings({steps(0)}); },
                                    "^--steps 0: train.steps = 0; it must be a whole number >= 1");
  // A later conflict names the option too.
  testing::expect_error<ValueError>(
      [] { with_settings({set_field(&Config::train, &TrainConfig::shards, 65, "--shards 65")}); },
      "^--shards 65: train.shards = 65, but train.batch = 64 \\(default\\)");
}

TEST(Settings, TextThatIsHandedOverMayHoldAnything) {
  const std::string path = "it's '''quoted''' \"twice\" \\ here.txt";
  const Config c = with_settings({set_field(&Config::task, &TaskConfig::name, "text", "a file"),
                                  set_field(&Config::task, &TaskConfig::path, path, "a file")});
  EXPECT_EQ(c.task.path, path);
}

TEST(Settings, AFieldWithoutAKeyCannotBeSet) {
  Config config;
  Index elsewhere = 0;
  EXPECT_EQ(&config_key_at(config, &config.model.d_ff), find_config_key("model.d_ff"));
  EXPECT_THROW(config_key_at(config, &elsewhere), std::logic_error);
}

// --- Order of the sources ------------------------------------------------------------------------

TEST(Sources, LaterOnesOverrideEarlierOnes) {
  const std::string path = ::testing::TempDir() + "sources_test.toml";
  std::ofstream(path) << "[train]\nbatch = 5\nsteps = 6\n[task]\npath = 'x'\n";
  const Config c =
      resolve_config({.preset = "nanogpt-cpu", .file = path, .settings = {{"train.steps=7"}}});
  EXPECT_EQ(c.train.steps, 7);         // setting over file
  EXPECT_EQ(c.train.batch, 5);         // file over preset
  EXPECT_EQ(c.train.seed, 1337);       // preset over defaults
  EXPECT_EQ(c.train.eval_every, 250);  // default
  EXPECT_EQ(c.task.name, "text");
  testing::expect_error<ValueError>(
      [&] {
        resolve_config({.preset = "nanogpt-cpu", .file = path, .settings = {{"model.d_model=6"}}});
      },
      "^preset nanogpt-cpu:[0-9]+: model.heads = 4, but model.d_model = 6 \\(--set "
      "model.d_model=6\\)");
  std::filesystem::remove(path);
}

TEST(Sources, TheLastNamedTaskGivesItsDefaults) {
  const auto defaults_of = [](const char* name) {
    for (const NamedSettings& d : task_defaults()) {
      if (d.name == name) return parse_config(d.toml, name);
    }
    throw ValueError("no such task");
  };
  EXPECT_EQ(with_settings({{"task.name=addition"}}).train.steps,
            defaults_of("addition").train.steps);
  EXPECT_EQ(with_settings({{"task.name=addition"}, {"task.name=recall"}}).train.steps,
            defaults_of("recall").train.steps);
  testing::expect_error<ValueError>([] { with_settings({{"task.name=fly"}}); },
                                    "task.name = \"fly\"; it must be one of \"copy\"");
}

TEST(Sources, KeysOfTheTaskAreFilledIn) {
  const TaskConfig recall = with_settings({{"task.name=recall"}, {"task.pairs=3"}}).task;
  EXPECT_EQ(recall.pairs, 3);
  EXPECT_EQ(recall.keys, RecallExercise::kDefaultKeys);
  EXPECT_EQ(recall.values, RecallExercise::kDefaultValues);
  EXPECT_EQ(recall.length, 0);
  testing::expect_error<ValueError>(
      [] {
        with_settings({{"task.name=recall"}, {"task.digits=3"}});
      },
      "task recall has no key 'digits'");
}

TEST(Sources, AProgramStartsFromTheDefaultsOfATask) {
  EXPECT_EQ(completed(default_config("addition")), with_settings({{"task.name=addition"}}));
  EXPECT_EQ(completed(default_config("regression", ModelKind::kGru)),
            with_settings({{"task.name=regression"}, {"model.kind=gru"}}));
  Config c = default_config("copy");
  c.model.heads = 3;
  testing::expect_error<ValueError>([&] { completed(c); }, "model.heads = 3, but model.d_model");
}

TEST(Sources, SizesThatFollowFromOthersGoOnFollowingThem) {
  const Config c = with_settings({{"model.d_model=48"}, {"model.heads=6"}});
  EXPECT_EQ(c.model.effective_kv_heads(), 6);
  EXPECT_EQ(c.model.effective_d_ff(), 192);
  EXPECT_EQ(parse_config(to_toml(c), "run.toml"), c);

  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "run.toml";
  std::ofstream(file) << to_toml(c);
  const Config wider = resolve_config(
      {.file = file.string(), .settings = {{"model.d_model=64"}, {"model.heads=2"}}});
  EXPECT_EQ(wider.model.effective_kv_heads(), 2);
  EXPECT_EQ(wider.model.effective_d_ff(), 256);
}

// --- Presets -------------------------------------------------------------------------------------

// The table of keys and the data folder know the same tasks.
TEST(Presets, EveryTaskIsKnown) {
  std::vector<std::string> names;
  for (const NamedSettings& defaults : task_defaults()) names.emplace_back(defaults.name);
  EXPECT_EQ(names, task_names());
  for (const std::string& name : names) {
    Config config;
    config.task.name = name;
    EXPECT_TRUE(find_config_key("task.name")->holds_for(config)) << name;
  }
}

TEST(Presets, AllAreValid) {
  for (const NamedSettings& preset : presets()) {
    std::vector<Setting> settings;
    if (preset.name != "grokking") settings.push_back({"task.path=x"});  // all others read a file
    EXPECT_NO_THROW(
        resolve_config({.preset = std::string(preset.name), .settings = std::move(settings)}))
        << preset.name;
  }
  for (const NamedSettings& defaults : task_defaults()) {
    std::vector<Setting> settings = {{"task.name=" + std::string(defaults.name)}};
    if (task_info(defaults.name).keys.front().name == "path") settings.push_back({"task.path=x"});
    EXPECT_NO_THROW(with_settings(settings)) << defaults.name;
  }
}

// As many rows as there are sums to train on: 30 % of 113 * 113.
TEST(Presets, GrokkingTrainsOnAllSumsAtOnce) {
  const Config c = resolve_config({.preset = "grokking"});
  EXPECT_EQ(c.train.batch, std::lround(0.3 * 113 * 113));
  EXPECT_EQ(c.optimizer.weight_decay, 1);
}

// The figures of nanoGPT's README and of what it inherits.
TEST(Presets, NanoGptCpuIsTheRecipe) {
  const Config c = resolve_config({.preset = "nanogpt-cpu", .settings = {{"task.path=input.txt"}}});
  EXPECT_EQ(c.task.length, 64);
  EXPECT_EQ(c.task.validation, 0.1);
  EXPECT_EQ(c.model, (ModelConfig{.d_model = 128,
                                  .layers = 4,
                                  .heads = 4,
                                  .d_ff = 512,
                                  .bias = false,
                                  .tie_embeddings = true,
                                  .init = InitOptions::Scheme::kNormal}));
  EXPECT_EQ(c.optimizer, (OptimizerConfig{.lr = 1e-3,
                                          .min_lr = 1e-4,
                                          .warmup = 100,
                                          .betas = {0.9, 0.99},
                                          .weight_decay = 0.1,
                                          .decay_all = false,
                                          .decay_embeddings = true}));
  EXPECT_EQ(c.train.steps, 2000);
  EXPECT_EQ(c.train.batch, 12);
}

TEST(Presets, UnknownNameListsThoseThereAre) {
  testing::expect_error<ValueError>([] { resolve_config({.preset = "gpt5"}); },
                                    "preset 'gpt5' is unknown; there are: nanogpt-cpu");
}

// --- Kinds of model ------------------------------------------------------------------------------

TEST(Kinds, DefaultsOfATaskAndPresetsCountOnlyWhereTheyMeanSomething) {
  const Config defaults;
  for (const std::string kind : {"rnn", "lstm", "gru", "conv"}) {
    const Config c = with_settings({{"task.name=regression"}, {"model.kind=" + kind}});
    EXPECT_EQ(c.model.layers, 4);  // means something to all
    EXPECT_EQ(c.task.curriculum, 500);
    EXPECT_EQ(c.model.position, defaults.model.position);
    EXPECT_EQ(c.model.heads, defaults.model.heads);
  }
  EXPECT_EQ(with_settings({{"task.name=regression"}}).model.position, PositionKind::kRope);
  const Config gru = resolve_config(
      {.preset = "makemore", .settings = {{"task.path=names.txt"}, {"model.kind=gru"}}});
  EXPECT_EQ(gru.model.activation, defaults.model.activation);
  EXPECT_EQ(gru.model.layers, 4);
}

TEST(Kinds, WhatTheUserSaysOfAMeaninglessKeyIsRefusedAllTheSame) {
  testing::expect_error<ValueError>(
      [] {
        with_settings({{"task.name=regression"}, {"model.kind=gru"}, {"model.position=rope"}});
      },
      "--set model.position=rope: .*this kind of model has no attention");
}

}  // namespace
}  // namespace tapehead
