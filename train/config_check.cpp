#include "train/config_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "autograd/error.h"

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

void check_model(const Config& config, Checker& check) {
  const ModelConfig& model = config.model;
  check.require(model.d_model % model.heads == 0, "model.heads", "model.d_model",
                "the heads must divide the width");
  check.require(model.kv_heads == 0 || model.heads % model.kv_heads == 0, "model.kv_heads",
                "model.heads", "the key/value heads must divide the heads");
  check.require(config.task.name != "text" || model.kind == "decoder", "model.kind", "task.name",
                "text is learned by a decoder; an encoder would see the characters it predicts");
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

void check_key(const Config& config, const ConfigKey& key, std::string_view where) {
  if (key.holds_for(config)) return;
  throw ValueError(fmt::format("{}: {} = {}; it must be {}", where, key.name,
                               key.value_text(config), key.allowed_text()));
}

void check_config(const Config& config, const ConfigOrigins& origins) {
  for (const ConfigKey& key : config_keys()) check_key(config, key, origin_of(key.name, origins));
  Checker check(config, origins);
  check_task(config.task, check);
  check_model(config, check);
  check_optimizer(config.optimizer, check);
  check.require(config.train.shards <= config.train.batch, "train.shards", "train.batch",
                "a shard needs at least one row");
  check.throw_if_unmet();
}

void check_config(const Config& config) { check_config(config, {}); }

}  // namespace tapehead
