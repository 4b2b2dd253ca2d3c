#include "train/config/config_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "train/config/model_kind.h"

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
    if (condition) return;
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

bool is_word(const WordOrNumber& value, std::string_view word) {
  const std::string* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == word;
}

void check_attention(const ModelConfig& model, Checker& check) {
  const bool dot = model.attention == "dot";
  const bool rope = model.position == "rope" || model.position == "rope_halves";
  const Index head = model.head_width();
  check.require(dot || !rope, "model.position", "model.attention",
                "rotary positions turn dot products into functions of distance, additive scores "
                "not; choose other positions, or attention = \"dot\"");
  check.require(dot || !model.qk_norm, "model.qk_norm", "model.attention",
                "qk_norm is for dot products; leave it out, or choose attention = \"dot\"");
  check.require(dot || !is_word(model.scale, "log_length"), "model.scale", "model.attention",
                "the log-length scale is for dot products; choose another scale, or attention = "
                "\"dot\"");
  check.require(!model.qk_norm || is_word(model.scale, "inv_sqrt") ||
                    is_word(model.scale, "learned") || std::holds_alternative<double>(model.scale),
                "model.scale", "model.qk_norm",
                "qk_norm learns the scale itself; leave it out, or give a number");
  const bool own_width = model.head_dim > 0;
  check.require(!rope || head % 2 == 0, own_width ? "model.head_dim" : "model.heads",
                own_width ? "model.position" : "model.d_model",
                "rotary positions turn pairs of numbers, so the width of a head, head_dim or "
                "d_model / heads, must be even");
  const Index fewest = model.kind == "decoder" ? 2 : 3;
  check.require(model.position != "hard_alibi" || model.heads >= fewest, "model.heads",
                "model.position",
                "with Hard-ALiBi, head 1 sees its own position only and the last head has no "
                "positions: a decoder needs at least 2 heads, an encoder 3");
  const bool query_is_key = model.share_qkv == "qk" || model.share_qkv == "qkv";
  check.require(!query_is_key || model.key_value_heads() == model.heads, "model.share_qkv",
                "model.kv_heads",
                "queries and keys with one projection have as many heads; set kv_heads = 0, or "
                "share_qkv = \"kv\"");
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
  if (key == "model.kv_heads" && model.key_value_heads() == model.heads) return true;
  if (key == "model.d_ff" && model.hidden_width() == 4 * model.d_model) return true;
  const ConfigKey* known = find_config_key(key);
  return known->value_text(config) == known->value_text(Config{});
}

bool has_attention(std::string_view kind) { return kind.ends_with("coder"); }

// The keys of one group that a kind does not heed, and why not.
struct Meaningless {
  std::span<const std::string_view> keys;
  std::string_view why;
};

std::vector<Meaningless> meaningless_for(std::string_view kind) {
  std::vector<Meaningless> result;
  if (is_recurrent(kind) || kind == "conv") {
    result.push_back({kAttentionKeys,
                      "this kind of model has no attention; leave the key out, or set it to its "
                      "default"});
  }
  if (is_recurrent(kind)) {
    result.push_back({kBlockKeys,
                      "a recurrent network has no feed-forward layers or norms; leave the key out, "
                      "or set it to its default"});
  }
  if (kind != "conv") {
    result.push_back(
        {kConvKeys, "only conv has a kernel; leave the key out, or set it to its default"});
  }
  return result;
}

void check_kind(const Config& config, Checker& check) {
  const std::string& kind = config.model.kind;
  if (!has_attention(kind)) {
    const std::string& probe = config.train.probe;
    check.require(probe == "auto" || probe == "none", "train.probe", "model.kind",
                  "this kind of model has no attention to record; leave the key out");
    check.require(config.model.init != "unit_qk", "model.init", "model.kind",
                  "unit_qk is about queries and keys, and this kind of model has no attention; "
                  "set pytorch or normal");
  }
  for (const Meaningless& group : meaningless_for(kind)) {
    for (const std::string_view key : group.keys) {
      check.require(is_left_alone(config, key), key, "model.kind", group.why);
    }
  }
}

void check_model(const Config& config, Checker& check) {
  const ModelConfig& model = config.model;
  const bool attends = has_attention(model.kind);
  const bool has_head_width = model.head_dim > 0 || model.d_model % model.heads == 0;
  check.require(!attends || has_head_width, "model.heads", "model.d_model",
                "the heads must divide the width, or head_dim must be set");
  check.require(!attends || model.heads % model.key_value_heads() == 0, "model.kv_heads",
                "model.heads", "the key/value heads must divide the heads");
  if (attends && has_head_width) check_attention(model, check);
  check.require(config.task.name != "text" || model.kind != "encoder", "model.kind", "task.name",
                "text is learned by a decoder; an encoder would see the characters it predicts");
  check.require(config.task.name != "text" || model.kind != "encoder_decoder", "model.kind",
                "task.name", "text has no sources, which an encoder-decoder reads; set decoder");
  check_kind(config, check);
}

void check_optimizer(const OptimizerConfig& optimizer, Checker& check) {
  const bool sgd = optimizer.name == "sgd";
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

std::vector<std::string_view> keys_without_meaning(std::string_view kind) {
  std::vector<std::string_view> keys;
  for (const Meaningless& group : meaningless_for(kind)) {
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
