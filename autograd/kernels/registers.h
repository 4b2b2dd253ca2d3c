#pragma once

#include <cstddef>

#include "base/types.h"

namespace tapehead::kernels {

// The CPU's vector registers, as far as a kernel that is written by hand must know them. Functions
// that are not inlined take and return none by value: how they are passed depends on the CPU, of
// which compilers warn.

#if defined(__AVX512F__)
inline constexpr std::size_t kRegisterBytes = 64;
inline constexpr int kRegisterCount = 32;
#elif defined(__AVX__)
inline constexpr std::size_t kRegisterBytes = 32;
inline constexpr int kRegisterCount = 16;
#elif defined(__aarch64__)
inline constexpr std::size_t kRegisterBytes = 16;
inline constexpr int kRegisterCount = 32;
#else
inline constexpr std::size_t kRegisterBytes = 16;
inline constexpr int kRegisterCount = 16;
#endif

template <typename Scalar>
using Register [[gnu::vector_size(kRegisterBytes)]] = Scalar;
/// Numbers in a register.
template <typename Scalar>
inline constexpr Index kLanes = static_cast<Index>(kRegisterBytes / sizeof(Scalar));

}  // namespace tapehead::kernels
