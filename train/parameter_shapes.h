#pragma once

#include <string>
#include <vector>

#include "train/build_model.h"

namespace tapehead {

struct ParameterShape {
  std::string name;
  Shape shape;
  ParameterKind kind = ParameterKind::kWeight;

  /// As a double: some configurations ask for more than a 64-bit integer can count.
  double size() const;
};

/// The parameters of a model that need not fit into memory.
struct ParameterShapes {
  std::vector<ParameterShape> first;  ///< those of the model with one layer
  std::vector<ParameterShape> layer;  ///< what its second layer adds, and each further one
  double layers = 0;                  ///< how many there are

  double count() const;
};

/// From the layers' own code, on a store that only records shapes. It takes as long for any sizes:
/// the second layer stands for all that follow. Throws what build_model() throws.
ParameterShapes parameter_shapes(const Config& config, const ModelSizes& sizes);

}  // namespace tapehead
