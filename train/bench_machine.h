#pragma once

namespace tapehead {

/// What this machine can do at most, measured: the ceilings that ops are compared with (the
/// roofline of Williams, Waterman and Patterson 2009).
struct MachineCeilings {
  int threads = 1;
  double gflops_one_thread = 0;  ///< float32 fused multiply-adds on registers, 2 operations each
  double gflops = 0;             ///< the same on `threads` threads at once
  double cache_gb_s = 0;         ///< copy inside the second-level cache; bytes read and written
  double memory_gb_s = 0;        ///< copy of arrays that no cache holds, on `threads` threads
};

/// Measures for about a second.
MachineCeilings measure_machine(int threads);

}  // namespace tapehead
