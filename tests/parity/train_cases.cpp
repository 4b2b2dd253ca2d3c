#include "tests/parity/train_cases.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "autograd/ops/cross_entropy.h"
#include "layers/transformer.h"
#include "optim/adam.h"
#include "optim/clip.h"
#include "optim/schedule.h"
#include "optim/sgd.h"

namespace tapehead::parity {

namespace {

TransformerConfig model_config(const ParityCase& file) {
  TransformerConfig c;
  c.vocabulary = file.integer("vocab");
  c.length = file.integer("length");
  c.layers = file.integer("depth");
  c.block.d_model = file.integer("d");
  c.block.heads = file.integer("heads");
  c.block.d_ff = 4 * c.block.d_model;
  const std::string position = file.text("position");
  if (position != "learned" && position != "sinusoidal") {
    throw NotCovered(fmt::format("training with position '{}'", position));
  }
  c.position = position == "learned" ? PositionKind::kLearned : PositionKind::kSinusoidal;
  return c;
}

// The file's name of our parameter: "blocks.0.norm1.weight" is "blocks.0.ln1.weight" there.
std::string name_in_file(std::string name) {
  constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
      {"attention.", ""}, {"feed_forward.fc", "ff"}, {"norm", "ln"}};
  for (const auto& [ours, theirs] : kRenamed) {
    const std::size_t at = name.find(ours);
    if (at != std::string::npos) name.replace(at, ours.size(), theirs);
  }
  return name;
}

void load_parameters(const ParityCase& file, const ParameterStore<double>& store) {
  for (const auto& p : store.parameters()) {
    const std::string name = name_in_file(p.name());
    const Tensor<double> theirs = file.numbers("params/" + name);
    if (theirs.shape() != p.shape()) {
      throw IoError(fmt::format("{}: parameter {} has shape {}; {} is needed", file.group(), name,
                                theirs.shape().str(), p.shape().str()));
    }
    std::copy_n(theirs.data(), theirs.size(), p.value().data());
  }
}

std::unique_ptr<Optimizer<double>> make_optimizer(const ParityCase& file,
                                                  const ParameterStore<double>& store) {
  const std::string name = file.text("optimizer");
  if (name == "sgd") {
    SgdOptions options;
    options.momentum = file.real("momentum");
    options.weight_decay = file.real("weight_decay");
    return std::make_unique<Sgd<double>>(store, options);
  }
  if (name != "adam" && name != "adamw") {
    throw NotCovered(fmt::format("training with optimizer '{}'", name));
  }
  AdamOptions options;
  options.beta1 = file.real("beta1");
  options.beta2 = file.real("beta2");
  options.eps = file.real("eps");
  options.weight_decay = file.real("weight_decay");
  options.decoupled = name == "adamw";
  return std::make_unique<Adam<double>>(store, options);
}

Schedule make_schedule(const ParityCase& file) {
  const std::string name = file.text("schedule");
  ScheduleOptions options;
  options.lr = file.real("lr");
  if (name == "warmup_cosine") {
    options.kind = ScheduleKind::kCosine;
    options.min_lr = options.lr * file.real("min_lr_ratio");
    options.warmup = file.integer("warmup_steps");
    options.total = file.integer("steps");
  } else if (name != "constant") {
    throw NotCovered(fmt::format("training with schedule '{}'", name));
  }
  return Schedule(options);
}

// Inputs and targets of one step: each token predicts the next.
std::pair<TokenTensor, TokenTensor> batch_of(const TokenTensor& tokens, Index step) {
  const Index rows = tokens.dim(1), length = tokens.dim(2) - 1;
  TokenTensor inputs({rows, length}), targets({rows, length});
  for (Index r = 0; r < rows; ++r) {
    const TokenId* row = tokens.data() + (step * rows + r) * (length + 1);
    std::copy_n(row, length, inputs.data() + r * length);
    std::copy_n(row + 1, length, targets.data() + r * length);
  }
  return {inputs, targets};
}

// The curves of a run.
struct Curves {
  std::vector<double> losses, grad_norms;
};

Curves train(const ParityCase& file, const ParameterStore<double>& store,
             const Transformer<double>& model) {
  const auto optimizer = make_optimizer(file, store);
  const Schedule schedule = make_schedule(file);
  const double clip = file.real("clip");
  const TokenTensor tokens = file.tokens("tokens");
  Tensor<double> gradients = store.make_buffer();
  Tape<double> tape;
  tape.bind_gradients(store, gradients);
  Curves curves;
  for (Index step = 0; step < tokens.dim(0); ++step) {
    const auto [inputs, targets] = batch_of(tokens, step);
    gradients.fill(0);
    tape.clear();
    const Var<double> loss = cross_entropy(model.forward(tape, inputs), targets);
    tape.backward(loss);
    const Clipping clipping = clip_by_global_norm(store, gradients, clip);
    curves.losses.push_back(loss.value().item());
    curves.grad_norms.push_back(clipping.norm);
    optimizer->step(store.values(), gradients, schedule.rate(step), clipping.factor);
  }
  return curves;
}

Tensor<double> as_tensor(const std::vector<double>& values) {
  return Tensor<double>({static_cast<Index>(values.size())}, std::span<const double>(values));
}

}  // namespace

void run_train_case(const ParityCase& file, Comparison& result) {
  if (file.name() != "gpt") throw NotCovered(fmt::format("training of '{}'", file.name()));
  ParameterStore<double> store;
  const Transformer<double> model(Builder<double>(store, 0), model_config(file));
  load_parameters(file, store);
  const Curves curves = train(file, store, model);
  result.compare("loss", as_tensor(curves.losses), file.numbers("outputs/losses"));
  result.compare("gradient norm", as_tensor(curves.grad_norms), file.numbers("outputs/grad_norms"));
  for (const auto& p : store.parameters()) {
    const std::string name = name_in_file(p.name());
    result.compare("final " + name, p.value(), file.numbers("final/" + name));
  }
}

}  // namespace tapehead::parity
