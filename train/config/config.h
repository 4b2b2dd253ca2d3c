#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/ops/activation_kind.h"
#include "base/types.h"
#include "layers/attention_config.h"
#include "layers/init_options.h"
#include "layers/norm_kind.h"
#include "layers/position_kind.h"
#include "optim/schedule.h"
#include "train/config/model_kind.h"

namespace tapehead {

// What can be configured. Every key is described in train/config/config_keys.cpp: its type, what it
// may be and what it means; the words of a key in train/config/words.cpp. docs/configuration.md is
// made from those tables.

/// What is learned. A 0 leaves the choice to the task.
struct TaskConfig {
  std::string name = "copy";
  std::string path = {};
  Index length = 0;
  Index min_length = 0;
  Index symbols = 0;
  Index digits = 0;
  bool reversed = true;
  Index carries = 0;
  bool running = true;
  Index depth = 0;
  Index pairs = 0;
  Index keys = 0;
  Index values = 0;
  double power = 0.01;
  bool random_fill = false;
  Index triggers = 0;
  Index items = 0;
  Index distance = 0;
  Index nouns = 0;
  Index clauses = 0;
  Index modulus = 0;
  double train_fraction = 0.3;
  Index dimensions = 0;
  Index points = 0;
  double noise = 0;
  Index curriculum = 0;
  Index held_out = 0;
  double validation = 0.1;

  bool operator==(const TaskConfig&) const = default;
};

struct ModelConfig {
  ModelKind kind = ModelKind::kDecoder;
  Index d_model = 64;
  Index layers = 2;
  Index heads = 4;
  Index kv_heads = 0;  ///< 0: as heads
  Index head_dim = 0;  ///< 0: d_model / heads
  Index d_ff = 0;      ///< 0: 4 * d_model
  PositionKind position = PositionKind::kLearned;
  AttentionScores attention = AttentionScores::kDot;
  AttentionScale scale = {};
  bool qk_norm = false;
  double logit_soft_cap = 0;
  bool sigma_reparam = false;
  SharedProjections share_qkv = SharedProjections::kNone;
  NormPlacement norm = NormPlacement::kPre;
  NormKind norm_kind = NormKind::kLayer;
  Activation activation = Activation::kGelu;
  Index kernel_size = 3;
  Index dilation = 2;
  double dropout = 0;
  bool bias = true;
  bool tie_embeddings = false;
  InitOptions::Scheme init = InitOptions::Scheme::kPytorch;

  // The sizes that hold where a 0 leaves them to other keys.
  Index effective_kv_heads() const { return kv_heads == 0 ? heads : kv_heads; }
  Index effective_head_dim() const { return head_dim == 0 ? d_model / heads : head_dim; }
  Index effective_d_ff() const { return d_ff == 0 ? 4 * d_model : d_ff; }

  bool operator==(const ModelConfig&) const = default;
};

enum class OptimizerKind {
  kAdam,
  kAdamW,  ///< Adam with decoupled weight decay
  kSgd
};

struct OptimizerConfig {
  OptimizerKind name = OptimizerKind::kAdamW;
  double lr = 1e-3;
  double min_lr = 0;
  Index warmup = 100;
  ScheduleKind schedule = ScheduleKind::kCosine;
  std::array<double, 2> betas = {0.9, 0.999};
  double eps = 1e-8;
  bool amsgrad = false;
  double momentum = 0;
  bool nesterov = false;
  double weight_decay = 0.01;
  bool decay_all = true;
  bool decay_embeddings = false;
  double clip = 1;

  bool operator==(const OptimizerConfig&) const = default;
};

/// What can be recorded of a model's attention while it is trained.
enum class ProbeKind { kAttention, kLogits, kEntropy, kGradients };

/// What is recorded: those that are listed, or what suits the model.
struct ProbeChoice {
  enum class Mode {
    kAuto,  ///< attention and entropy, where there are not too many weights
    kNone,
    kListed
  };
  Mode mode = Mode::kAuto;
  std::vector<ProbeKind> listed = {};  ///< for kListed: each once

  bool lists(ProbeKind kind) const {
    return std::find(listed.begin(), listed.end(), kind) != listed.end();
  }
  bool operator==(const ProbeChoice&) const = default;
};

struct TrainConfig {
  Index steps = 2000;
  Index batch = 64;
  Index accumulate = 1;
  Index seed = 1;
  Index shards = 0;
  Index eval_every = 250;
  Index eval_rows = 0;
  double target_accuracy = 0;
  Index checkpoint_every = 500;
  bool check_finite = false;
  double label_smoothing = 0;
  ProbeChoice probe = {};
  Index probe_every = 0;

  bool operator==(const TrainConfig&) const = default;
};

struct Config {
  TaskConfig task;
  ModelConfig model;
  OptimizerConfig optimizer;
  TrainConfig train;

  bool operator==(const Config&) const = default;
};

/// One key and its new value.
struct Setting {
  /// From the command line: "model.heads=8". The value is TOML; a bare word is a string.
  std::string assignment = {};
  /// How error messages call it; empty: "--set ASSIGNMENT". Other options that set a key say what
  /// the user typed: "--steps 100".
  std::string option = {};
  /// In place of an assignment, see set_field(): gives a field its value, and returns its address.
  std::function<const void*(Config&)> assign = {};
};

/// A setting whose value is at hand, without text between: the field `member` of a section becomes
/// `value`, because the user typed `option`.
///
///     set_field(&Config::train, &TrainConfig::steps, 100, "--steps 100")
template <typename Section, typename Value>
Setting set_field(Section Config::*section, Value Section::*member,
                  std::type_identity_t<Value> value, std::string option) {
  Setting setting;
  setting.option = std::move(option);
  setting.assign = [section, member, value = std::move(value)](Config& config) -> const void* {
    Value& field = (config.*section).*member;
    field = value;
    return &field;
  };
  return setting;
}

/// What a configuration is made of. A later source overrides an earlier one:
///
///   built-in defaults < defaults of the task < preset < file < settings
///
/// The task is the one named by the last source that names one. What the task's defaults and the
/// preset say of keys without meaning for the kind of model that is chosen does not count: any kind
/// can be trained on any task by changing model.kind.
struct ConfigSources {
  std::string preset = {};  ///< empty: none
  std::string file = {};    ///< path of a TOML file; empty: none
  std::vector<Setting> settings = {};
};

/// The complete, checked configuration; what is left to the task (0) is filled in. What is left to
/// other keys stays so: whoever changes model.heads later means model.kv_heads too.
/// Throws ValueError naming key, value, what is allowed, and the file's line or the option; IoError
/// if the file cannot be read.
Config resolve_config(const ConfigSources& sources);

/// The built-in defaults, and over them those of the task that mean something to the kind of model.
/// Neither checked nor completed: see completed(). No such task: the built-in defaults alone.
Config default_config(std::string_view task, ModelKind kind = ModelKind::kDecoder);

/// The configuration with what is left to the task (0) filled in. Throws as resolve_config() if it
/// is impossible.
Config completed(Config config);

/// The configuration that `toml` describes over the built-in defaults alone: what to_toml() wrote
/// is read back equal. `source` names it in errors. Throws as resolve_config().
Config parse_config(std::string_view toml, std::string_view source);

/// All keys as TOML, independent of the locale; every number reads back with the same bits.
std::string to_toml(const Config& config);

/// A key that two configurations do not agree on; the values as TOML.
struct ConfigDifference {
  std::string key, ours, theirs;
};
/// All such keys, in the order of printing.
std::vector<ConfigDifference> differences(const Config& ours, const Config& theirs);

/// Throws ValueError if a value or a combination of values is impossible.
void check_config(const Config& config);

}  // namespace tapehead
