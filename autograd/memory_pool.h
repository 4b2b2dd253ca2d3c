#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace tapehead {

namespace detail {
class PoolCore;

/// Stands in front of every block of storage; the payload follows at the next cache line.
struct alignas(64) BlockHeader {
  std::atomic<std::size_t> references{1};
  std::size_t capacity = 0;             // payload bytes
  std::shared_ptr<PoolCore> pool = {};  // where to return to; null for a block of its own
  BlockHeader* next_free = nullptr;     // only while on a free list
};
}  // namespace detail

/// Shared ownership of one 64-byte-aligned block of memory. The last owner returns it to the pool
/// that it came from, or to the system. Copies may be made and dropped on different threads.
class Storage {
 public:
  static constexpr std::size_t kAlignment = 64;  // one cache line; enough for every SIMD width

  Storage() = default;
  /// A block of its own, outside any pool. Its bytes are uninitialised.
  static Storage from_heap(std::size_t bytes);

  Storage(const Storage& other) noexcept : header_(other.header_) {
    if (header_ != nullptr) header_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Storage(Storage&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}
  Storage& operator=(Storage other) noexcept {
    std::swap(header_, other.header_);
    return *this;
  }
  ~Storage() { release(); }

  explicit operator bool() const { return header_ != nullptr; }
  void* data() const { return header_ == nullptr ? nullptr : header_ + 1; }
  std::size_t capacity() const { return header_ == nullptr ? 0 : header_->capacity; }
  /// True if nobody else holds this block.
  bool unique() const {
    return header_ != nullptr && header_->references.load(std::memory_order_acquire) == 1;
  }

 private:
  friend class MemoryPool;
  explicit Storage(detail::BlockHeader* header) : header_(header) {}
  void release() noexcept;

  detail::BlockHeader* header_ = nullptr;
};

/// Hands out blocks and takes them back for reuse, so that a loop that repeats the same shapes
/// stops touching the heap after its first rounds. Sizes are rounded up to one of four classes per
/// power of two (at most 25 % is lost). Blocks may outlive the pool and may be returned from any
/// thread.
class MemoryPool {
 public:
  MemoryPool();
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// At least `bytes` bytes, uninitialised.
  Storage allocate(std::size_t bytes);
  /// Bytes in blocks that are handed out now.
  std::size_t bytes_in_use() const;
  /// The largest bytes_in_use() so far.
  std::size_t peak_bytes() const;

 private:
  std::shared_ptr<detail::PoolCore> core_;
};

}  // namespace tapehead
