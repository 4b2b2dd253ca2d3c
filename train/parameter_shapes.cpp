#include "train/parameter_shapes.h"

#include <algorithm>

namespace tapehead {

namespace {

std::unique_ptr<Model> with_layers(Config config, Index layers, const ModelSizes& sizes) {
  config.model.layers = layers;
  return build_model(config, sizes, ParameterStore<float>::Mode::kShapesOnly);
}

double total_size(const std::vector<ParameterShape>& parameters) {
  double total = 0;
  for (const ParameterShape& p : parameters) total += p.size();
  return total;
}

}  // namespace

double ParameterShape::size() const {
  double size = 1;
  for (const Index n : shape.sizes()) size *= static_cast<double>(n);
  return size;
}

double ParameterShapes::count() const {
  return total_size(first) + (layers - 1) * total_size(layer);
}

ParameterShapes parameter_shapes(const Config& config, const ModelSizes& sizes) {
  const auto one = with_layers(config, 1, sizes), two = with_layers(config, 2, sizes);
  ParameterShapes shapes;
  shapes.layers = static_cast<double>(config.model.layers);
  for (const auto& p : two->store.parameters()) {
    auto& part = one->store.contains(p.name()) ? shapes.first : shapes.layer;
    part.push_back({.name = p.name(), .shape = p.shape(), .kind = p.kind()});
  }
  return shapes;
}

}  // namespace tapehead
