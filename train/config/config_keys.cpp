#include "train/config/config_keys.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tapehead {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Reaches Config::*section.*member.
template <auto Section, auto Member>
auto& reach(Config& config) {
  return (config.*Section).*Member;
}

template <auto Member>
constexpr auto kTask = &reach<&Config::task, Member>;
template <auto Member>
constexpr auto kModel = &reach<&Config::model, Member>;
template <auto Member>
constexpr auto kOptimizer = &reach<&Config::optimizer, Member>;
template <auto Member>
constexpr auto kTrain = &reach<&Config::train, Member>;

constexpr IntegerRange kPositive{1};
constexpr IntegerRange kNotNegative{0};
// Larger ones could not be multiplied with one another.
constexpr IntegerRange kSize{1, 1'000'000'000};
constexpr IntegerRange kSizeOrZero{0, 1'000'000'000};
constexpr RealRange kRealNotNegative{0};
constexpr RealRange kRealPositive{0, kInfinity, true};
// Beyond float32, what is computed with it would be infinite.
constexpr RealRange kFloatNotNegative{0, std::numeric_limits<float>::max()};
constexpr RealRange kBelowOne{0, 1, false, true};  // [0, 1)

constexpr ConfigKey kKeys[] = {
    {"task.name", kTask<&TaskConfig::name>,
     Words{"copy|reverse|sort|addition|multiplication|modular_addition|parity|majority|dyck|recall|"
           "mqar|long_recall|induction|bigrams|selective_copy|coreference|translation|names|text|"
           "regression|dataset"},
     "what is learned: see `tapehead tasks` and docs/tasks.md"},
    {"task.path", kTask<&TaskConfig::path>, Anything{},
     "text, names: a UTF-8 file; dataset: an HDF5 file"},
    {"task.length", kTask<&TaskConfig::length>, kNotNegative,
     "copy, reverse, sort, parity, selective_copy: symbols of a prompt; majority, dyck, mqar, "
     "induction, bigrams: tokens of a row; text: the context; 0: the task's own"},
    {"task.min_length", kTask<&TaskConfig::min_length>, kNotNegative,
     "copy, reverse, sort: prompts have lengths drawn from this to `length`; 0: all have `length`"},
    {"task.symbols", kTask<&TaskConfig::symbols>, kNotNegative,
     "copy, reverse, sort, mqar, long_recall, induction, bigrams, selective_copy: number of "
     "different symbols; dyck: kinds of brackets; 0: the task's own"},
    {"task.digits", kTask<&TaskConfig::digits>, kNotNegative,
     "addition, multiplication: digits of each number; 0: the task's own"},
    {"task.reversed", kTask<&TaskConfig::reversed>, Anything{},
     "addition, multiplication: the answer is written with its last digit first"},
    {"task.carries", kTask<&TaskConfig::carries>, kNotNegative,
     "addition: the sums in which so many neighbouring digits carry are held out; 0: any sums"},
    {"task.running", kTask<&TaskConfig::running>, Anything{},
     "parity: the answer is the parity after each bit; false: after the last"},
    {"task.depth", kTask<&TaskConfig::depth>, kNotNegative,
     "dyck: most brackets that are open at a time; 0: the task's own"},
    {"task.pairs", kTask<&TaskConfig::pairs>, kNotNegative,
     "recall, mqar: number of key-value pairs; 0: the task's own"},
    {"task.keys", kTask<&TaskConfig::keys>, kNotNegative,
     "recall: number of different keys; 0: the task's own"},
    {"task.values", kTask<&TaskConfig::values>, kNotNegative,
     "recall: number of different values; 0: the task's own"},
    {"task.power", kTask<&TaskConfig::power>, RealRange{0, 10},
     "mqar: of the distances from pair to query; 1 is even, less prefers short ones"},
    {"task.random_fill", kTask<&TaskConfig::random_fill>, Anything{},
     "mqar: filler is random, instead of 0"},
    {"task.triggers", kTask<&TaskConfig::triggers>, kNotNegative,
     "bigrams: symbols that are triggers; 0: the task's own"},
    {"task.items", kTask<&TaskConfig::items>, kNotNegative,
     "selective_copy: symbols among the noise; 0: the task's own"},
    {"task.distance", kTask<&TaskConfig::distance>, kNotNegative,
     "long_recall: symbols between fact and question; coreference: nouns from pronoun back to "
     "answer; 0: the task's own"},
    {"task.nouns", kTask<&TaskConfig::nouns>, kNotNegative,
     "coreference: nouns of a sentence; 0: the task's own"},
    {"task.clauses", kTask<&TaskConfig::clauses>, kNotNegative,
     "translation: clauses of a sentence; 0: the task's own"},
    {"task.modulus", kTask<&TaskConfig::modulus>, kNotNegative,
     "modular_addition: 0: the task's own"},
    {"task.train_fraction", kTask<&TaskConfig::train_fraction>, RealRange{0, 1, true, true},
     "modular_addition: part of all sums that is trained on"},
    {"task.dimensions", kTask<&TaskConfig::dimensions>, kNotNegative,
     "regression: numbers of an input; 0: the task's own"},
    {"task.points", kTask<&TaskConfig::points>, kNotNegative,
     "regression: inputs and values of a row; 0: the task's own"},
    {"task.noise", kTask<&TaskConfig::noise>, kRealNotNegative,
     "regression: standard deviation of what is added to the values"},
    {"task.curriculum", kTask<&TaskConfig::curriculum>, kNotNegative,
     "regression: training starts with one dimension, and this many steps bring another one and "
     "two more points; 0: all from the start"},
    {"task.held_out", kTask<&TaskConfig::held_out>, kNotNegative,
     "all but modular_addition, text and dataset: examples that are never trained on; 0: the "
     "task's own"},
    {"task.validation", kTask<&TaskConfig::validation>, RealRange{0, 1, true, true},
     "text: the last part of the file, held out for validation"},

    {"model.kind", kModel<&ModelConfig::kind>, Anything{}, "what reads the sequence"},
    {"model.d_model", kModel<&ModelConfig::d_model>, kSize, "width of the model"},
    {"model.layers", kModel<&ModelConfig::layers>, kSize, "number of blocks"},
    {"model.heads", kModel<&ModelConfig::heads>, kSize,
     "attention heads; must divide `d_model`, unless `head_dim` is given"},
    {"model.kv_heads", kModel<&ModelConfig::kv_heads>, kSizeOrZero,
     "heads of keys and values: must divide `heads`; 1 is multi-query, 0 is as `heads`"},
    {"model.head_dim", kModel<&ModelConfig::head_dim>, kSizeOrZero,
     "width of a head's queries, keys and values; 0: `d_model` / `heads`"},
    {"model.d_ff", kModel<&ModelConfig::d_ff>, kSizeOrZero,
     "width of the feed-forward layer; 0: 4 * `d_model`"},
    {"model.position", kModel<&ModelConfig::position>, Anything{},
     "how a position is told to the model; see docs/attention.md"},
    {"model.attention", kModel<&ModelConfig::attention>, Anything{},
     "how queries and keys are scored"},
    {"model.scale", kModel<&ModelConfig::scale>, Anything{}, "factor of the scores"},
    {"model.qk_norm", kModel<&ModelConfig::qk_norm>, Anything{},
     "queries and keys have length 1, and the scale is learned"},
    {"model.logit_soft_cap", kModel<&ModelConfig::logit_soft_cap>, kFloatNotNegative,
     "scores are squashed to this size at most; 0: no cap"},
    {"model.sigma_reparam", kModel<&ModelConfig::sigma_reparam>, Anything{},
     "the spectral norm of attention's projections is a parameter"},
    {"model.share_qkv", kModel<&ModelConfig::share_qkv>, Anything{},
     "which of the projections of queries, keys and values are one"},
    {"model.norm", kModel<&ModelConfig::norm>, Anything{}, "where each sublayer is normalised"},
    {"model.norm_kind", kModel<&ModelConfig::norm_kind>, Anything{}, "LayerNorm or RMSNorm"},
    {"model.activation", kModel<&ModelConfig::activation>, Anything{}, "of the feed-forward layer"},
    {"model.kernel_size", kModel<&ModelConfig::kernel_size>, kSize,
     "conv: time steps that a convolution sees"},
    {"model.dilation", kModel<&ModelConfig::dilation>, kSize,
     "conv: how much farther apart they are in each block than in the one below"},
    {"model.dropout", kModel<&ModelConfig::dropout>, kBelowOne, "share of values dropped"},
    {"model.bias", kModel<&ModelConfig::bias>, Anything{}, "biases in linear layers and norms"},
    {"model.tie_embeddings", kModel<&ModelConfig::tie_embeddings>, Anything{},
     "the output layer uses the weights of the token embedding"},
    {"model.init", kModel<&ModelConfig::init>, Anything{}, "how fresh weights are drawn"},

    {"optimizer.name", kOptimizer<&OptimizerConfig::name>, Anything{},
     "update rule, as PyTorch defines it"},
    {"optimizer.lr", kOptimizer<&OptimizerConfig::lr>, kRealNotNegative, "highest learning rate"},
    {"optimizer.min_lr", kOptimizer<&OptimizerConfig::min_lr>, kRealNotNegative,
     "learning rate at the end; at most `lr`"},
    {"optimizer.warmup", kOptimizer<&OptimizerConfig::warmup>, kNotNegative,
     "steps of the linear rise of the learning rate, from `lr / warmup`"},
    {"optimizer.schedule", kOptimizer<&OptimizerConfig::schedule>, Anything{},
     "learning rate after the warm-up"},
    {"optimizer.betas", kOptimizer<&OptimizerConfig::betas>, kBelowOne,
     "adam, adamw: decay of the moments"},
    {"optimizer.eps", kOptimizer<&OptimizerConfig::eps>, kRealPositive,
     "adam, adamw: added to the bias-corrected root"},
    {"optimizer.amsgrad", kOptimizer<&OptimizerConfig::amsgrad>, Anything{},
     "adam, adamw: use the largest second moment so far"},
    {"optimizer.momentum", kOptimizer<&OptimizerConfig::momentum>, kBelowOne, "sgd only"},
    {"optimizer.nesterov", kOptimizer<&OptimizerConfig::nesterov>, Anything{},
     "sgd with momentum only"},
    {"optimizer.weight_decay", kOptimizer<&OptimizerConfig::weight_decay>, kRealNotNegative,
     "adamw: decoupled; adam, sgd: part of the gradient"},
    {"optimizer.decay_all", kOptimizer<&OptimizerConfig::decay_all>, Anything{},
     "false: biases, norms and embeddings are not decayed"},
    {"optimizer.decay_embeddings", kOptimizer<&OptimizerConfig::decay_embeddings>, Anything{},
     "with `decay_all = false`: embeddings are decayed all the same"},
    {"optimizer.clip", kOptimizer<&OptimizerConfig::clip>, kRealNotNegative,
     "largest global norm of the gradients; 0: no clipping"},

    {"train.steps", kTrain<&TrainConfig::steps>, kPositive, "optimizer steps"},
    {"train.batch", kTrain<&TrainConfig::batch>, kSize, "rows of one forward pass"},
    {"train.accumulate", kTrain<&TrainConfig::accumulate>, kSize,
     "forward passes of one optimizer step, which has `batch * accumulate` rows"},
    {"train.seed", kTrain<&TrainConfig::seed>, kNotNegative,
     "of initial values, batches and dropout"},
    {"train.shards", kTrain<&TrainConfig::shards>, kSizeOrZero,
     "parts into which a batch is cut for threads, at most `batch`; 0: chosen from the sizes"},
    {"train.eval_every", kTrain<&TrainConfig::eval_every>, kNotNegative,
     "steps from one validation to the next; 0: only at the end"},
    {"train.eval_rows", kTrain<&TrainConfig::eval_rows>, kNotNegative,
     "held-out rows of a validation during the training, the last one is on all; 0: all"},
    {"train.target_accuracy", kTrain<&TrainConfig::target_accuracy>, RealRange{0, 1},
     "stop when validation reaches this accuracy of whole sequences (text: of tokens); 0: never"},
    {"train.checkpoint_every", kTrain<&TrainConfig::checkpoint_every>, kNotNegative,
     "steps from one checkpoint to the next; 0: only at the end"},
    {"train.check_finite", kTrain<&TrainConfig::check_finite>, Anything{},
     "stop where a NaN or an infinity arises, and name the place"},
    {"train.label_smoothing", kTrain<&TrainConfig::label_smoothing>, kBelowOne,
     "share of the target's probability that is spread over all tokens"},
    {"train.probe", kTrain<&TrainConfig::probe>, Anything{},
     "what is recorded of attention in metrics.h5 (see `tapehead info --probes`)"},
    {"train.probe_every", kTrain<&TrainConfig::probe_every>, kNotNegative,
     "steps from one record to the next, beside the first and the last; 0: ten, evenly"},
};

}  // namespace

std::span<const ConfigKey> config_keys() { return kKeys; }

const ConfigKey& config_key_at(Config& config, const void* address) {
  const auto is_there = [&](const ConfigKey& key) {
    return std::visit([&](const auto field) { return &field(config) == address; }, key.field);
  };
  const auto* key = std::ranges::find_if(kKeys, is_there);
  if (key == std::end(kKeys)) throw std::logic_error("config: a field without a key was set");
  return *key;
}

const ConfigKey* find_config_key(std::string_view name) {
  for (const ConfigKey& key : kKeys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

}  // namespace tapehead
