#pragma once

#include <string>
#include <vector>

#include "app/bench/bench_machine.h"
#include "autograd/op.h"

namespace tapehead {

/// How fast one op runs, forward and backward together, and how close that comes to the ceiling of
/// the machine that binds it.
struct OpBenchResult {
  Op op{};
  std::string size;             ///< of the job whose numbers it works on: toy, nanogpt-cpu or mid
  std::string shapes;           ///< of the inputs
  double forward_ms = 0;        ///< medians
  double both_ms = 0;           ///< forward and backward
  bool bound_by_flops = false;  ///< else by bandwidth
  /// GFLOP/s, where the op is a matrix product; else GB/s: forward, each input read once and the
  /// output written once; backward, inputs and output's gradient read and inputs' gradients
  /// written.
  double rate = 0;
  double ceiling_fraction = 0;  ///< of the machine's multiply-adds, or of copying as many bytes
};

/// Times every op of the register at every size class, on `machine.threads` threads.
std::vector<OpBenchResult> bench_ops(const MachineCeilings& machine, double seconds_per_op);

}  // namespace tapehead
