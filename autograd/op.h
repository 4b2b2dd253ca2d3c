#pragma once

#include <array>

namespace tapehead {

/// What a node on the tape computes. One enumerator an op, from op_register.inc.
enum class Op {
  leaf,    ///< a value that was given, not computed
  custom,  ///< an op defined outside the library; the node carries its name
#define TAPEHEAD_OP(name) name,
#include "autograd/op_register.inc"
#undef TAPEHEAD_OP
};

/// Every op of the library, in the order of the register.
inline constexpr std::array kAllOps = {
#define TAPEHEAD_OP(name) Op::name,
#include "autograd/op_register.inc"
#undef TAPEHEAD_OP
};

/// The op's name: that of its enumerator, its function and its files.
constexpr const char* op_name(Op op) {
  switch (op) {
    case Op::leaf:
      return "leaf";
    case Op::custom:
      return "custom";
#define TAPEHEAD_OP(name) \
  case Op::name:          \
    return #name;
#include "autograd/op_register.inc"
#undef TAPEHEAD_OP
  }
  return "unknown";
}

}  // namespace tapehead
