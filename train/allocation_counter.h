#pragma once

#include <cstdint>

namespace tapehead {

/// Number of heap allocations of this process so far, by anybody: our code, the C++ library, Eigen,
/// oneDNN, OpenMP. -1 where they cannot be counted (sanitizer builds, C libraries other than
/// glibc).
std::int64_t heap_allocations();

}  // namespace tapehead
