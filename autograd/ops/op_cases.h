#pragma once

#include <vector>

#include "autograd/gradcheck.h"

// The cases of every op, one function an op, defined in ops/<op>_cases.cpp. An op of the register
// whose cases nobody wrote does not link.
namespace tapehead::cases {

#define TAPEHEAD_OP(name) std::vector<GradCase> name##_cases();
#include "autograd/op_register.inc"
#undef TAPEHEAD_OP

}  // namespace tapehead::cases

namespace tapehead {

/// The cases of a library op, from the register.
std::vector<GradCase> grad_cases(Op op);

}  // namespace tapehead
