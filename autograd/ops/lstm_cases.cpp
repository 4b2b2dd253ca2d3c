#include "autograd/ops/lstm.h"
#include "autograd/ops/op_cases.h"
#include "autograd/ops/recurrent_cases.h"

namespace tapehead::cases {

std::vector<GradCase> lstm_cases() {
  return recurrent_cases(
      4, 2, [](auto in, const auto& weights) { return lstm(in[0], in[1], in[2], weights).output; });
}

}  // namespace tapehead::cases
