#include "autograd/ops/gru.h"
#include "autograd/ops/op_cases.h"
#include "autograd/ops/recurrent_cases.h"

namespace tapehead::cases {

std::vector<GradCase> gru_cases() {
  return recurrent_cases(3, 1,
                         [](auto in, const auto& weights) { return gru(in[0], in[1], weights); });
}

}  // namespace tapehead::cases
