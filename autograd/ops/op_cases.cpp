#include "autograd/ops/op_cases.h"

namespace tapehead {

std::vector<GradCase> grad_cases(Op op) {
  switch (op) {  // no default: the compiler names an op without a line
    case Op::leaf:
    case Op::custom:
      return {};
#define TAPEHEAD_OP(name) \
  case Op::name:          \
    return cases::name##_cases();
#include "autograd/op_register.inc"
#undef TAPEHEAD_OP
  }
  return {};
}

}  // namespace tapehead
