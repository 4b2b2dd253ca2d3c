#include "tests/parity/layer_cases.h"

#include <fmt/format.h>

#include "autograd/ops/reshape.h"
#include "layers/attention.h"
#include "layers/document_attention.h"
#include "layers/positions.h"
#include "layers/recurrent.h"
#include "layers/transformer_block.h"

namespace tapehead::parity {

namespace {

using V = Var<double>;

// Layers draw initial values, which are then overwritten.
Builder<double> root(CaseRun& run) { return Builder<double>(run.store(), 0); }

// For layers whose parameters have the file's names.
void load_by_equal_names(CaseRun& run) {
  for (const auto& p : run.store().parameters()) run.link(p.name(), p.name());
  run.load_parameters();
}

// ---- The documents' attention layers -----------------------------------------------------------

AttentionConfig document_config(const ParityCase& file) {
  AttentionConfig c;
  c.query_width = file.integer("dimension_q");
  c.key_width = file.integer("dimension_k");
  c.value_width = file.integer("dimension_v");
  c.heads = file.integer("heads");
  c.kv_heads = file.integer("kv_heads");
  c.d_k = file.integer("d_k");
  c.d_v = file.integer("d_v");
  c.out_width = file.integer("d_o");
  return c;
}

Mask additive_mask(const ParityCase& file) {
  return file.has("inputs/mask") ? Mask::additive(file.numbers("inputs/mask")) : Mask();
}

// MHA or MQA, through the documents' own constructor and forward.
template <typename Layer>
Outputs run_document_layer(CaseRun& run, const AttentionConfig& c) {
  const Layer layer(root(run), c.heads, c.key_width, c.value_width, c.d_k, c.d_v, c.out_width);
  load_by_equal_names(run);
  const auto result =
      layer.forward(run.input("q"), run.input("k"), run.input("v"), additive_mask(run.file()));
  return {{"output", result.output}, {"weights", result.attention}};
}

Outputs run_grouped(CaseRun& run, const AttentionConfig& config) {
  const MultiHeadAttention<double> layer(root(run), config);
  load_by_equal_names(run);
  const auto result = layer.forward_with_weights(run.input("q"), run.input("k"), run.input("v"),
                                                 additive_mask(run.file()));
  return {{"output", result.output}, {"weights", head_major(result.weights)}};
}

Outputs run_document_attention(CaseRun& run) {
  const AttentionConfig config = document_config(run.file());
  const bool documents_sizes = config.query_width == config.key_width;
  if (documents_sizes && run.file().name() == "mha" && config.kv_heads == config.heads) {
    return run_document_layer<MHA<double>>(run, config);
  }
  if (documents_sizes && run.file().name() == "mqa" && config.kv_heads == 1) {
    return run_document_layer<MQA<double>>(run, config);
  }
  return run_grouped(run, config);
}

// Scores v . tanh(W_q q + W_k k) of a single head; values are mixed as they are.
Outputs run_additive_attention(CaseRun& run) {
  const ParityCase& file = run.file();
  const Var<double> q = run.input("q"), k = run.input("k"), v = run.input("v");
  AttentionConfig c;
  c.query_width = file.integer("d_q");
  c.key_width = file.integer("d_k");
  c.value_width = c.d_v = v.dim(2);
  c.d_k = file.integer("hidden");
  c.bias = c.value_projection = c.out_projection = false;
  c.traits.scores = AttentionScores::kAdditive;
  c.scale.kind = AttentionScale::Kind::kNone;
  const MultiHeadAttention<double> layer(root(run), c);
  run.link("fc_q.weight", "w_q.weight");
  run.link("fc_k.weight", "w_k.weight");
  run.link("score.weight", "v.weight");
  run.load_parameters();
  const auto result = layer.forward_with_weights(q, k, v, additive_mask(file));
  const Shape& s = result.weights.shape();
  return {{"output", result.output}, {"weights", reshape(result.weights, {s[0], s[2], s[3]})}};
}

// ---- PyTorch's MultiheadAttention and TransformerEncoderLayer ----------------------------------

// Links our projections below `ours` to PyTorch's, below `theirs`: one stacked matrix for q, k and
// v where their widths agree, three otherwise.
void link_torch_attention(CaseRun& run, const std::string& ours, const std::string& theirs,
                          Index width) {
  const bool stacked = run.file().has("params/" + theirs + "in_proj_weight");
  const bool bias = run.file().has("params/" + theirs + "in_proj_bias");
  Index first_row = 0;
  for (const std::string letter : {"q", "k", "v"}) {
    const std::string weight = ours + "fc_" + letter + ".weight";
    if (stacked) {
      run.link(weight, theirs + "in_proj_weight", first_row);
    } else {
      run.link(weight, theirs + letter + "_proj_weight");
    }
    if (bias) run.link(ours + "fc_" + letter + ".bias", theirs + "in_proj_bias", first_row);
    first_row += width;
  }
  run.link(ours + "fc_o.weight", theirs + "out_proj.weight");
  if (bias) run.link(ours + "fc_o.bias", theirs + "out_proj.bias");
}

Mask padding_mask(const ParityCase& file) {
  if (!file.has("inputs/mask_padding")) return {};
  const Tensor<std::uint8_t> padding = file.mask("inputs/mask_padding");  // (batch, n_k)
  return Mask::masked_out(padding.reshaped({padding.dim(0), 1, padding.dim(1)}));
}

Outputs run_torch_attention(CaseRun& run) {
  const ParityCase& file = run.file();
  const Index width = file.integer("embed_dim");
  AttentionConfig config = AttentionConfig::self_attention(width, file.integer("heads"));
  config.key_width = file.integer("kdim", width);
  config.value_width = file.integer("vdim", width);
  config.bias = file.has("params/in_proj_bias");
  const MultiHeadAttention<double> layer(root(run), config);
  link_torch_attention(run, "", "", width);
  run.load_parameters();
  const auto result = layer.forward_with_weights(run.input("query"), run.input("key"),
                                                 run.input("value"), padding_mask(file));
  return {{"output", result.output}, {"weights", result.weights}};
}

Activation activation_of(const ParityCase& file) {
  const std::string name = file.text("activation");
  if (name == "gelu") return Activation::kGelu;
  if (name == "relu") return Activation::kRelu;
  throw NotCovered(fmt::format("{} with activation '{}'", file.name(), name));
}

NormPlacement norm_of(const ParityCase& file) {
  return file.flag("norm_first", false) ? NormPlacement::kPre : NormPlacement::kPost;
}

Outputs run_encoder_layer(CaseRun& run) {
  const ParityCase& file = run.file();
  BlockConfig config;
  config.d_model = file.integer("d_model");
  config.heads = file.integer("heads");
  config.d_ff = file.integer("d_ff");
  config.norm = norm_of(file);
  config.activation = activation_of(file);
  config.norm_eps = file.real("eps");
  const TransformerBlock<double> layer(root(run), config);
  link_torch_attention(run, "attention.", "self_attn.", config.d_model);
  for (const std::string part : {".weight", ".bias"}) {
    run.link("norm1" + part, "norm1" + part);
    run.link("norm2" + part, "norm2" + part);
    run.link("feed_forward.fc1" + part, "linear1" + part);
    run.link("feed_forward.fc2" + part, "linear2" + part);
  }
  run.load_parameters();
  return {{"output", layer.forward(run.input("src"))}};
}

Outputs run_decoder_layer(CaseRun& run) {
  const ParityCase& file = run.file();
  BlockConfig config;
  config.d_model = file.integer("d_model");
  config.heads = file.integer("heads");
  config.d_ff = file.integer("d_ff");
  config.norm = norm_of(file);
  config.activation = activation_of(file);
  config.norm_eps = file.real("eps");
  config.cross_attention = true;
  const TransformerBlock<double> layer(root(run), config);
  link_torch_attention(run, "attention.", "self_attn.", config.d_model);
  link_torch_attention(run, "cross_attention.", "multihead_attn.", config.d_model);
  for (const std::string part : {".weight", ".bias"}) {
    run.link("norm1" + part, "norm1" + part);
    run.link("cross_norm" + part, "norm2" + part);
    run.link("norm2" + part, "norm3" + part);
    run.link("feed_forward.fc1" + part, "linear1" + part);
    run.link("feed_forward.fc2" + part, "linear2" + part);
  }
  run.load_parameters();
  const EncodedSource<double> source{run.input("memory"), {}};
  const Mask mask = file.flag("causal", false) ? Mask::causal() : Mask::none();
  return {{"output", layer.forward(run.input("tgt"), mask, nullptr, &source)}};
}

// ---- Recurrent networks ------------------------------------------------------------------------

Outputs run_recurrent(CaseRun& run, CellKind cell) {
  RecurrentConfig config;
  config.cell = cell;
  config.input = run.file().integer("input_size");
  config.hidden = run.file().integer("hidden_size");
  config.layers = run.file().integer("num_layers", 1);
  config.bias = run.file().has("params/bias_ih_l0");
  const Recurrent<double> net(root(run), config);
  load_by_equal_names(run);
  return {{"output", net.forward(run.input("x"))}};
}

CaseFunction recurrent(CellKind cell) {
  return [cell](CaseRun& run) { return run_recurrent(run, cell); };
}

// ---- Positions ---------------------------------------------------------------------------------

Outputs run_sinusoidal(CaseRun& run) {
  const ParityCase& file = run.file();
  const auto table = sinusoidal_positions<double>(file.integer("length"), file.integer("d_model"),
                                                  0, file.real("base"));
  return {{"output", run.tape().leaf(table)}};
}

}  // namespace

const CaseTable& layer_cases() {
  static const CaseTable table = {
      {"additive_attention", run_additive_attention},
      {"decoder_layer", run_decoder_layer},
      {"encoder_layer", run_encoder_layer},
      {"gqa", run_document_attention},
      {"gru", recurrent(CellKind::kGru)},
      {"lstm", recurrent(CellKind::kLstm)},
      {"mha", run_document_attention},
      {"mqa", run_document_attention},
      {"multihead_attention_torch", run_torch_attention},
      {"rnn", recurrent(CellKind::kRnn)},
      {"sinusoidal_position", run_sinusoidal},
  };
  return table;
}

}  // namespace tapehead::parity
