#include "train/presets.h"

#include <fmt/format.h>

#include "autograd/error.h"

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
steps = 2000
)"},
    {"recall", "give a key's pair", R"([optimizer]
lr = 2e-3
warmup = 100

[train]
steps = 2000
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
