#pragma once

#include <vector>

namespace tapehead {

/// What this machine can do at most, measured: the ceilings that ops are compared with (the
/// roofline of Williams, Waterman and Patterson 2009).
struct MachineCeilings {
  int threads = 1;
  double gflops_one_thread = 0;  ///< float32 fused multiply-adds on registers, 2 operations each
  double gflops = 0;             ///< the same on `threads` threads at once
  /// Copying on `threads` threads, by the bytes of both arrays of all threads together: from what
  /// the nearest cache holds to what none does.
  struct Copy {
    double bytes = 0;
    double gb_s = 0;  ///< read and written
  };
  std::vector<Copy> copies;

  /// The rate of the copy that is closest in size to so many bytes, from above.
  double copy_gb_s(double bytes) const;
};

/// Measures for about two seconds.
MachineCeilings measure_machine(int threads);

}  // namespace tapehead
