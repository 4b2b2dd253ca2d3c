#include "studies/head_ablation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "autograd/ops/sigma_reparam.h"
#include "base/error.h"

namespace tapehead {

namespace {

// The largest singular value.
float spectral_norm(const Tensor<float>& weight) {
  Tape<float> tape(Tape<float>::Mode::kInference);
  const Var<float> unit = sigma_reparam(tape.leaf(weight), tape.leaf(Tensor<float>::scalar(1.0F)));
  // unit = weight / norm; the largest entry loses least to rounding.
  const auto larger = [](float a, float b) { return std::abs(a) < std::abs(b); };
  const auto w = weight.values();
  const auto at = std::ranges::max_element(w, larger) - w.begin();
  const float divided = unit.value()[at];
  return divided == 0 ? 0 : weight[at] / divided;
}

}  // namespace

std::unique_ptr<Model> copy_of(const Model& model, const Config& config, const ModelSizes& sizes) {
  auto copy = build_model(config, sizes);
  Tensor<float> values = copy->store.values();
  std::ranges::copy(model.store.values().values(), values.data());
  return copy;
}

void ablate_head(const ParameterStore<float>& store, const std::string& layer, Index head,
                 Index heads) {
  Tensor<float> weight = store.find(layer + ".fc_o.weight").value();  // (C, heads * d_v)
  if (head < 0 || head >= heads || weight.dim(1) % heads != 0) {
    throw ValueError(
        fmt::format("{}: head {} of {}, with {} columns; a head must be one of these, "
                    "and all have as many columns",
                    layer, head, heads, weight.dim(1)));
  }
  const std::string gamma = layer + ".fc_o.gamma";
  const float norm_before = store.contains(gamma) ? spectral_norm(weight) : 0;
  const Index columns = weight.dim(1), d_v = columns / heads;
  for (Index row = 0; row < weight.dim(0); ++row) {
    std::fill_n(weight.data() + row * columns + head * d_v, d_v, 0.0F);
  }
  if (!store.contains(gamma) || norm_before == 0) return;
  Tensor<float> factor = store.find(gamma).value();  // the layer computes gamma / norm * weight
  factor[0] *= spectral_norm(weight) / norm_before;
}

}  // namespace tapehead
