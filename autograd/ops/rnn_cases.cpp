#include "autograd/ops/op_cases.h"
#include "autograd/ops/recurrent_cases.h"
#include "autograd/ops/rnn.h"

namespace tapehead::cases {

std::vector<GradCase> rnn_cases() {
  return recurrent_cases(1, 1,
                         [](auto in, const auto& weights) { return rnn(in[0], in[1], weights); });
}

}  // namespace tapehead::cases
