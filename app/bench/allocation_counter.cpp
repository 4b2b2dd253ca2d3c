#include "app/bench/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAPEHEAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TAPEHEAD_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(TAPEHEAD_SANITIZED)

namespace {
// The counts of the whole process, as the functions that they count are those of the process.
std::atomic<std::int64_t> all_allocations{0};
std::atomic<std::int64_t> cpp_allocations{0};

void count() { all_allocations.fetch_add(1, std::memory_order_relaxed); }

void* checked(void* p) {
  cpp_allocations.fetch_add(1, std::memory_order_relaxed);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
}  // namespace

// glibc lets a program put its own allocation functions in front of those of the library; every
// library's allocations come through here, and those of operator new below.
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t n, std::size_t size);
void* __libc_realloc(void* p, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* p);

void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}

void* calloc(std::size_t n, std::size_t size) {
  count();
  return __libc_calloc(n, size);
}

void* realloc(void* p, std::size_t size) {
  count();
  return __libc_realloc(p, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  count();
  *p = __libc_memalign(alignment, size);
  return *p != nullptr ? 0 : ENOMEM;
}

void free(void* p) { __libc_free(p); }

}  // extern "C"

// The other forms of operator new and delete call these.
void* operator new(std::size_t size) { return checked(malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return checked(memalign(static_cast<std::size_t>(alignment), size));
}
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, std::size_t) noexcept { free(p); }
void operator delete(void* p, std::align_val_t) noexcept { free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { free(p); }

namespace tapehead {
std::optional<HeapAllocations> heap_allocations() {
  const std::int64_t cpp = cpp_allocations.load(std::memory_order_relaxed);
  return HeapAllocations{cpp, all_allocations.load(std::memory_order_relaxed) - cpp};
}
}  // namespace tapehead

#else

namespace tapehead {
std::optional<HeapAllocations> heap_allocations() { return std::nullopt; }
}  // namespace tapehead

#endif
