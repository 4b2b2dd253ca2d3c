#include "autograd/memory_pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <new>

namespace tapehead {

namespace detail {
namespace {

constexpr std::size_t kMinBlock = Storage::kAlignment;
constexpr int kClassesPerOctave = 4;
constexpr int kClasses = 64 * kClassesPerOctave;

struct SizeClass {
  int index;
  std::size_t bytes;
};

// Rounds up to m * 2^e with m in {4, 5, 6, 7}: the smallest such value not below `bytes`.
SizeClass size_class(std::size_t bytes) {
  bytes = std::max(bytes, kMinBlock);
  const int shift = static_cast<int>(std::bit_width(bytes - 1)) - 3;  // leaves three leading bits
  const std::size_t leading = (bytes + (std::size_t{1} << shift) - 1) >> shift;  // in [4, 8]
  return {shift * kClassesPerOctave + static_cast<int>(leading) - 4, leading << shift};
}

BlockHeader* new_block(std::size_t capacity) {
  void* memory =
      ::operator new (sizeof(BlockHeader) + capacity, std::align_val_t{Storage::kAlignment});
  auto* header = std::construct_at(static_cast<BlockHeader*>(memory));
  header->capacity = capacity;
  return header;
}

void delete_block(BlockHeader* header) {
  std::destroy_at(header);
  ::operator delete (header, std::align_val_t{Storage::kAlignment});
}

}  // namespace

/// The part of a pool that its blocks share; lives until the last block is returned.
class PoolCore {
 public:
  BlockHeader* take(std::size_t bytes) {
    const SizeClass wanted = size_class(bytes);
    BlockHeader* header = nullptr;
    {
      const std::lock_guard lock(mutex_);
      in_use_ += wanted.bytes;
      peak_ = std::max(peak_, in_use_);
      BlockHeader*& head = free_[static_cast<std::size_t>(wanted.index)];
      if (head != nullptr) header = std::exchange(head, head->next_free);
    }
    if (header == nullptr) return new_block(wanted.bytes);
    header->references.store(1, std::memory_order_relaxed);
    return header;
  }

  void give_back(BlockHeader* header) {
    const std::lock_guard lock(mutex_);
    in_use_ -= header->capacity;
    if (closed_) return delete_block(header);
    BlockHeader*& head = free_[static_cast<std::size_t>(size_class(header->capacity).index)];
    header->next_free = std::exchange(head, header);
  }

  /// The pool is gone: frees what is on the free lists; later returns go to the system.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (BlockHeader*& head : free_) {
      while (head != nullptr) delete_block(std::exchange(head, head->next_free));
    }
  }

  std::size_t in_use() const {
    const std::lock_guard lock(mutex_);
    return in_use_;
  }
  std::size_t peak() const {
    const std::lock_guard lock(mutex_);
    return peak_;
  }

 private:
  mutable std::mutex mutex_;
  std::array<BlockHeader*, kClasses> free_{};
  std::size_t in_use_ = 0;
  std::size_t peak_ = 0;
  bool closed_ = false;
};

}  // namespace detail

Storage Storage::from_heap(std::size_t bytes) {
  return Storage(detail::new_block(std::max(bytes, detail::kMinBlock)));
}

void Storage::release() noexcept {
  if (header_ == nullptr) return;
  if (header_->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // A block on a free list must not keep its own pool alive.
  const std::shared_ptr<detail::PoolCore> pool = std::move(header_->pool);
  if (pool) {
    pool->give_back(header_);
  } else {
    detail::delete_block(header_);
  }
}

MemoryPool::MemoryPool() : core_(std::make_shared<detail::PoolCore>()) {}

MemoryPool::~MemoryPool() { core_->close(); }

Storage MemoryPool::allocate(std::size_t bytes) {
  detail::BlockHeader* header = core_->take(bytes);
  header->pool = core_;
  return Storage(header);
}

std::size_t MemoryPool::bytes_in_use() const { return core_->in_use(); }

std::size_t MemoryPool::peak_bytes() const { return core_->peak(); }

}  // namespace tapehead
