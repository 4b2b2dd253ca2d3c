#include "layers/layer_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace tapehead {

std::vector<std::string_view> layer_names() {
  return {
#define TAPEHEAD_LAYER(name) #name,
#include "layers/layer_register.inc"
#undef TAPEHEAD_LAYER
  };
}

std::vector<GradCase> layer_grad_cases(std::string_view layer) {
#define TAPEHEAD_LAYER(name) \
  if (layer == #name) return cases::name##_layer_cases();
#include "layers/layer_register.inc"
#undef TAPEHEAD_LAYER
  throw ValueError(fmt::format("gradcheck: no layer '{}'; there are: {}", layer,
                               fmt::join(layer_names(), ", ")));
}

}  // namespace tapehead
