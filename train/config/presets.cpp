#include "train/config/presets.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

constexpr NamedSettings kTaskDefaults[] = {
    {"copy", "say the sequence again", R"([optimizer]
lr = 2e-3
warmup = 50

[train]
steps = 1000
)"},
    {"reverse", "say the sequence backwards", R"([optimizer]
lr = 2e-3
warmup = 50

[train]
steps = 1000
)"},
    {"sort", "say the sequence in order", R"([optimizer]
lr = 2e-3
warmup = 50

[train]
steps = 1500
)"},
    {"addition", "add two numbers", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 4000
)"},
    {"multiplication", "multiply a number by a digit", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 3000
)"},
    {"modular_addition",
     "add modulo a number; with this weight decay, the held-out sums are right long after the "
     "trained ones",
     R"([model]
d_model = 128
layers = 1

[optimizer]
lr = 1e-3
warmup = 10
schedule = "constant"
betas = [0.9, 0.98]
weight_decay = 1.0
clip = 0.0

[train]
steps = 5000
batch = 512
eval_every = 100
checkpoint_every = 1000
)"},
    {"parity", "tell whether the number of ones is odd", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 500
)"},
    {"majority", "tell whether there are more ones", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 500
)"},
    {"dyck", "tell which bracket closes", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 2000
)"},
    {"recall", "give a key's pair", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 2000
)"},
    {"mqar", "give the values of several keys", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 1500
)"},
    {"long_recall", "give a fact from far back", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 500
)"},
    {"induction", "give what followed the trigger", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 2000
)"},
    {"bigrams", "give what followed each of the triggers", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 1500
)"},
    {"selective_copy", "say the symbols among the noise", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 1500
)"},
    {"coreference", "tell what a pronoun refers to", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 1000
)"},
    {"translation", "translate into a made-up language", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 500
)"},
    {"names", "predict the next letter of names", R"([optimizer]
lr = 1e-3
warmup = 100

[train]
steps = 5000
batch = 32
)"},
    {"text", "predict the next character", R"([task]
length = 64

[optimizer]
lr = 1e-3
min_lr = 1e-4
warmup = 100
weight_decay = 0.1

[train]
steps = 2000
batch = 32
)"},
    {"regression",
     "predict values from those of other points, of which there are few at first (docs/tasks.md)",
     R"([task]
curriculum = 500

[model]
layers = 4
heads = 2
position = "rope"

[optimizer]
lr = 1e-3
warmup = 100

[train]
steps = 12000
)"},
    {"dataset", "examples from a file", ""},
};

constexpr NamedSettings kPresets[] = {
    {"nanogpt-cpu",
     "nanoGPT's recipe for a CPU (github.com/karpathy/nanoGPT, README, \"I only have a macbook\"; "
     "inherited values from config/train_shakespeare_char.py and model.py)",
     R"([task]
name = "text"
length = 64
validation = 0.1

[model]
kind = "decoder"
d_model = 128
layers = 4
heads = 4
d_ff = 512
position = "learned"
norm = "pre"
activation = "gelu"
dropout = 0.0
bias = false
tie_embeddings = true
init = "normal"

[optimizer]
name = "adamw"
lr = 1e-3
min_lr = 1e-4
warmup = 100
schedule = "cosine"
betas = [0.9, 0.99]
weight_decay = 0.1
decay_all = false           # matrices only ...
decay_embeddings = true     # ... and the embeddings are matrices
clip = 1.0

[train]
steps = 2000
batch = 12
seed = 1337
)"},
    {"makemore",
     "the transformer of makemore (github.com/karpathy/makemore, makemore.py) for a file of names",
     R"([task]
name = "names"
held_out = 1000

[model]
kind = "decoder"
d_model = 64
layers = 4
heads = 4
d_ff = 256
position = "learned"
norm = "pre"
activation = "gelu_tanh"
dropout = 0.0
init = "normal"

[optimizer]
name = "adamw"
lr = 5e-4
warmup = 0
schedule = "constant"
betas = [0.9, 0.99]
weight_decay = 0.01
clip = 0.0

[train]
steps = 20000
batch = 32
seed = 3407
eval_every = 500
checkpoint_every = 5000
)"},
    {"grokking",
     "one layer learns addition modulo 113 from 30 % of the sums, all at once in each step (Nanda "
     "et al. 2023, arXiv:2301.05217; there without norms)",
     R"([task]
name = "modular_addition"
modulus = 113
train_fraction = 0.3

[model]
kind = "decoder"
d_model = 128
layers = 1
heads = 4
d_ff = 512
position = "learned"
activation = "relu"

[optimizer]
name = "adamw"
lr = 1e-3
warmup = 10
schedule = "constant"
betas = [0.9, 0.98]
weight_decay = 1.0
clip = 0.0

[train]
steps = 50000
batch = 3831
eval_every = 100
checkpoint_every = 1000
)"},
};

}  // namespace

std::span<const NamedSettings> task_defaults() { return kTaskDefaults; }

std::span<const NamedSettings> presets() { return kPresets; }

const NamedSettings& find_preset(std::string_view name) {
  std::string known;
  for (const NamedSettings& preset : kPresets) {
    if (preset.name == name) return preset;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", preset.name);
  }
  throw ValueError(fmt::format("preset '{}' is unknown; there are: {}", name, known));
}

}  // namespace tapehead
