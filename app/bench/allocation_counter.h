#pragma once

#include <cstdint>
#include <optional>

namespace tapehead {

/// Heap allocations of this process so far.
struct HeapAllocations {
  std::int64_t cpp = 0;        ///< through operator new: our code and the C++ library
  std::int64_t libraries = 0;  ///< malloc called by others, as by Eigen for its packing
};

/// Absent where they cannot be counted: sanitizer builds, and C libraries other than glibc.
std::optional<HeapAllocations> heap_allocations();

}  // namespace tapehead
