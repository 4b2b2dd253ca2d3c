#pragma once

#include <cstdint>

namespace tapehead {

/// How this thread computes with denormal numbers (those below about 1e-38 in float), as the bits
/// of the CPU's control register.
inline std::uint64_t floating_point_mode() {
#if defined(__SSE__)
  return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
  std::uint64_t mode = 0;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
#else
  return 0;
#endif
}

inline void set_floating_point_mode([[maybe_unused]] std::uint64_t mode) {
#if defined(__SSE__)
  __builtin_ia32_ldmxcsr(static_cast<unsigned>(mode));
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(mode));
#endif
}

/// Gives this thread a mode for the life of the object.
class FloatingPointMode {
 public:
  explicit FloatingPointMode(std::uint64_t mode) : before_(floating_point_mode()) {
    if (mode != before_) set_floating_point_mode(mode);
  }
  ~FloatingPointMode() { set_floating_point_mode(before_); }
  FloatingPointMode(const FloatingPointMode&) = delete;
  FloatingPointMode& operator=(const FloatingPointMode&) = delete;

 private:
  std::uint64_t before_;
};

/// The mode in which denormal operands and results count as zero. CPUs take a hundred cycles for
/// each otherwise, and Adam's moments of a parameter that has stopped moving become denormal. Where
/// the CPU cannot be told, the present mode.
inline std::uint64_t flushing_denormals() {
#if defined(__SSE__)
  constexpr std::uint64_t kFlushToZero = 1U << 15, kDenormalsAreZero = 1U << 6;
  return floating_point_mode() | kFlushToZero | kDenormalsAreZero;
#elif defined(__aarch64__)
  constexpr std::uint64_t kFlushToZero = 1U << 24;
  return floating_point_mode() | kFlushToZero;
#else
  return floating_point_mode();
#endif
}

/// Denormals count as zero on this thread for the life of the object, and on the threads that
/// parallel_chunks() takes meanwhile.
class FlushDenormals : FloatingPointMode {
 public:
  FlushDenormals() : FloatingPointMode(flushing_denormals()) {}
};

}  // namespace tapehead
