#include "train/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAPEHEAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TAPEHEAD_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(TAPEHEAD_SANITIZED)

namespace {
// The one count of the whole process, as the functions that it counts are those of the process.
std::atomic<std::int64_t> allocations{0};

void count() { allocations.fetch_add(1, std::memory_order_relaxed); }
}  // namespace

// glibc lets a program put its own allocation functions in front of those of the library; operator
// new and every library's allocations come through here.
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

namespace tapehead {
std::int64_t heap_allocations() { return allocations.load(std::memory_order_relaxed); }
}  // namespace tapehead

#else

namespace tapehead {
std::int64_t heap_allocations() { return -1; }
}  // namespace tapehead

#endif
