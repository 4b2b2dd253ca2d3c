#include "train/config/config_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "train/config/trunk_config.h"

namespace tapehead {

namespace {

std::string origin_of(std::string_view key, const ConfigOrigins& origins) {
  const auto found = origins.find(key);
  return found == origins.end() ? "default" : found->second;
}

// Demands on two keys; one that is not met reads "ORIGIN: key = 3, but other = 4 (ORIGIN): why".
class Checker {
 public:
  Checker(const Config& config, const ConfigOrigins& origins)
      : config_(config), origins_(origins) {}

  void require(bool condition, std::string_view key, std::string_view other, std::string_view why) {
    if (!condition) add(key, other, why);
  }

  void add(std::string_view key, std::string_view other, std::string_view why) {
    unmet_.push_back(fmt::format("{}: {} = {}, but {} = {} ({}): {}", origin_of(key, origins_), key,
                                 value_of(key), other, value_of(other), origin_of(other, origins_),
                                 why));
  }

  void throw_if_unmet() const {
    if (!unmet_.empty()) throw ValueError(fmt::format("{}", fmt::join(unmet_, "\n")));
  }

 private:
  std::string value_of(std::string_view key) const {
    return find_config_key(key)->value_text(config_);
  }

  const Config& config_;
  const ConfigOrigins& origins_;
  std::vector<std::string> unmet_;
};

void check_task(const TaskConfig& task, Checker& check) {
  const bool needs_file = task.name == "text" || task.name == "names" || task.name == "dataset";
  check.require(!needs_file || !task.path.empty(), "task.name", "task.path",
                "this task needs a file; set task.path");
  check.require(needs_file || task.path.empty(), "task.path", "task.name",
                "this task reads no file; a file is read by text, names and dataset");
}

// What has a meaning only for targets that are tokens.
void check_real_targets(const Config& config, Checker& check) {
  const bool tokens = config.task.name != "regression";
  check.require(tokens || config.train.target_accuracy == 0, "train.target_accuracy", "task.name",
                "its targets are real numbers, which are neither right nor wrong; leave it out");
  check.require(tokens || config.train.label_smoothing == 0, "train.label_smoothing", "task.name",
                "its targets are real numbers, and there are no others to spread a share over; "
                "leave it out");
  check.require(tokens || !config.model.tie_embeddings, "model.tie_embeddings", "task.name",
                "it reads and predicts real numbers, and so has no token table; leave it out");
}

// The key by which a choice of attention goes here.
std::string_view key_of(AttentionOption option) {
  switch (option) {
    case AttentionOption::kDModel:
      return "model.d_model";
    case AttentionOption::kHeads:
      return "model.heads";
    case AttentionOption::kKvHeads:
      return "model.kv_heads";
    case AttentionOption::kHeadDim:
      return "model.head_dim";
    case AttentionOption::kPosition:
      return "model.position";
    case AttentionOption::kScores:
      return "model.attention";
    case AttentionOption::kScale:
      return "model.scale";
    case AttentionOption::kQkNorm:
      return "model.qk_norm";
    case AttentionOption::kShare:
      return "model.share_qkv";
  }
  return {};
}

void check_attention(const ModelConfig& model, Checker& check) {
  for (const AttentionConflict& c : trunk_config(model).conflicts()) {
    // The width of a head that is not given follows from these.
    const bool follows = c.option == AttentionOption::kHeadDim && model.head_dim == 0;
    check.add(follows ? "model.heads" : key_of(c.option),
              follows ? "model.d_model" : key_of(c.other), c.why);
  }
}

// Keys that only some kinds of model heed.
constexpr std::string_view kAttentionKeys[] = {
    "model.heads",     "model.kv_heads",     "model.head_dim",  "model.position",
    "model.attention", "model.scale",        "model.share_qkv", "model.logit_soft_cap",
    "model.qk_norm",   "model.sigma_reparam"};
constexpr std::string_view kBlockKeys[] = {"model.d_ff", "model.norm", "model.norm_kind",
                                           "model.activation"};
constexpr std::string_view kConvKeys[] = {"model.kernel_size", "model.dilation"};

// True if the key has its default, or says what the default stands for.
bool is_left_alone(const Config& config, std::string_view key) {
  const ModelConfig& model = config.model;
  if (key == "model.kv_heads" && model.effective_kv_heads() == model.heads) return true;
  if (key == "model.d_ff" && model.effective_d_ff() == 4 * model.d_model) return true;
  const ConfigKey* known = find_config_key(key);
  return known->value_text(config) == known->value_text(Config{});
}

// The keys of one group that a kind does not heed, and why not.
struct Meaningless {
  std::span<const std::string_view> keys;
  std::string_view why;
};

std::vector<Meaningless> meaningless_for(const ModelTraits& traits) {
  std::vector<Meaningless> result;
  if (!traits.attends) {
    result.push_back({kAttentionKeys,
                      "this kind of model has no attention; leave the key out, or set it to its "
                      "default"});
  }
  if (traits.is_recurrent()) {
    result.push_back({kBlockKeys,
                      "a recurrent network has no feed-forward layers or norms; leave the key out, "
                      "or set it to its default"});
  }
  if (!traits.convolves) {
    result.push_back(
        {kConvKeys, "only conv has a kernel; leave the key out, or set it to its default"});
  }
  return result;
}

void check_kind(const Config& config, Checker& check) {
  const ModelTraits& traits = traits_of(config.model.kind);
  if (!traits.attends) {
    check.require(config.train.probe.mode != ProbeChoice::Mode::kListed, "train.probe",
                  "model.kind", "this kind of model has no attention to record; leave the key out");
    check.require(config.model.init != InitOptions::Scheme::kUnitQueriesAndKeys, "model.init",
                  "model.kind",
                  "unit_qk is about queries and keys, and this kind of model has no attention; "
                  "set pytorch or normal");
  }
  for (const Meaningless& group : meaningless_for(traits)) {
    for (const std::string_view key : group.keys) {
      check.require(is_left_alone(config, key), key, "model.kind", group.why);
    }
  }
}

void check_model(const Config& config, Checker& check) {
  const ModelTraits& traits = traits_of(config.model.kind);
  if (traits.attends) check_attention(config.model, check);
  const bool text = config.task.name == "text";
  check.require(!text || traits.is_causal(), "model.kind", "task.name",
                "text is learned by a decoder; an encoder would see the characters it predicts");
  check.require(!text || !traits.reads_sources(), "model.kind", "task.name",
                "text has no sources, which an encoder-decoder reads; set decoder");
  check_kind(config, check);
}

void check_optimizer(const OptimizerConfig& optimizer, Checker& check) {
  const bool sgd = optimizer.name == OptimizerKind::kSgd;
  check.require(optimizer.min_lr <= optimizer.lr, "optimizer.min_lr", "optimizer.lr",
                "the smallest rate must not be above the highest");
  check.require(sgd || optimizer.momentum == 0, "optimizer.momentum", "optimizer.name",
                "momentum belongs to sgd; for adam and adamw it is the first of betas");
  check.require(sgd || !optimizer.nesterov, "optimizer.nesterov", "optimizer.name",
                "nesterov belongs to sgd");
  check.require(!optimizer.nesterov || optimizer.momentum > 0, "optimizer.nesterov",
                "optimizer.momentum", "Nesterov needs momentum > 0");
  check.require(!sgd || !optimizer.amsgrad, "optimizer.amsgrad", "optimizer.name",
                "amsgrad belongs to adam and adamw");
}

}  // namespace

std::vector<std::string_view> keys_without_meaning(ModelKind kind) {
  std::vector<std::string_view> keys;
  for (const Meaningless& group : meaningless_for(traits_of(kind))) {
    keys.insert(keys.end(), group.keys.begin(), group.keys.end());
  }
  return keys;
}

void check_key(const Config& config, const ConfigKey& key, std::string_view where) {
  if (key.holds_for(config)) return;
  throw ValueError(fmt::format("{}: {} = {}; it must be {}", where, key.name,
                               key.value_text(config), key.allowed_text()));
}

void check_config(const Config& config, const ConfigOrigins& origins) {
  for (const ConfigKey& key : config_keys()) check_key(config, key, origin_of(key.name, origins));
  Checker check(config, origins);
  check_task(config.task, check);
  check_real_targets(config, check);
  check_model(config, check);
  check_optimizer(config.optimizer, check);
  check.require(config.train.shards <= config.train.batch, "train.shards", "train.batch",
                "a shard needs at least one row");
  check.throw_if_unmet();
}

void check_config(const Config& config) { check_config(config, {}); }

}  // namespace tapehead
