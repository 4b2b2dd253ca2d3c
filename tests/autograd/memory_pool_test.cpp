#include "autograd/memory_pool.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tapehead {
namespace {

TEST(MemoryPool, HandsAReturnedBlockOutAgain) {
  MemoryPool pool;
  const void* first = nullptr;
  {
    const Storage block = pool.allocate(1000);
    first = block.data();
  }
  EXPECT_EQ(pool.allocate(990).data(), first);  // of the same size class
}

TEST(MemoryPool, BlocksInUseNeverOverlap) {
  MemoryPool pool;
  std::vector<Storage> blocks;
  for (std::size_t n = 1; n < 5000; n += 37) {
    blocks.push_back(pool.allocate(n));
    std::memset(blocks.back().data(), static_cast<int>(n % 251), n);
  }
  std::size_t n = 1;
  for (const Storage& block : blocks) {
    const auto* bytes = static_cast<const unsigned char*>(block.data());
    EXPECT_EQ(bytes[0], n % 251);
    EXPECT_EQ(bytes[n - 1], n % 251);
    n += 37;
  }
}

TEST(MemoryPool, BlocksAreAlignedLargeEnoughAndWasteAtMostAQuarter) {
  MemoryPool pool;
  for (std::size_t n = 0; n < 3000; ++n) {
    const Storage block = pool.allocate(n);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % Storage::kAlignment, 0U);
    ASSERT_GE(block.capacity(), n);
    const std::size_t asked = std::max(n, Storage::kAlignment);
    ASSERT_LE(block.capacity(), asked + asked / 4 + 1);
  }
}

TEST(MemoryPool, CountsBytesInUseAndTheirPeak) {
  MemoryPool pool;
  EXPECT_EQ(pool.bytes_in_use(), 0U);
  {
    const Storage a = pool.allocate(1024);
    const Storage b = pool.allocate(1024);
    const Storage shared = b;
    EXPECT_EQ(pool.bytes_in_use(), 2048U);
  }
  EXPECT_EQ(pool.bytes_in_use(), 0U);
  const Storage c = pool.allocate(512);
  EXPECT_EQ(pool.bytes_in_use(), 512U);
  EXPECT_EQ(pool.peak_bytes(), 2048U);
}

TEST(MemoryPool, BlocksMayOutliveIt) {
  Storage block;
  {
    std::optional<MemoryPool> pool(std::in_place);
    block = pool->allocate(256);
    pool.reset();
  }
  std::memset(block.data(), 1, 256);
  EXPECT_TRUE(block.unique());
}

TEST(MemoryPool, BlocksMayBeReturnedOnAnotherThread) {
  constexpr int kRounds = 200;
  MemoryPool pool;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Storage> blocks;
    for (int i = 0; i < 8; ++i) blocks.push_back(pool.allocate(128));
    std::thread other([mine = std::move(blocks)]() mutable { mine.clear(); });
    const Storage meanwhile = pool.allocate(128);
    other.join();
  }
  EXPECT_EQ(pool.bytes_in_use(), 0U);
  EXPECT_LE(pool.peak_bytes(), 9U * 128U);
}

TEST(MemoryPool, SharesOfABlockMayBeDroppedOnSeveralThreads) {
  MemoryPool pool;
  Storage block = pool.allocate(64);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([block] {
      for (int i = 0; i < 1000; ++i) const Storage copy = block;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(block.unique());
  block = {};
  EXPECT_EQ(pool.bytes_in_use(), 0U);
}

TEST(Storage, FromTheHeapStandsAlone) {
  const Storage block = Storage::from_heap(100);
  EXPECT_TRUE(block.unique());
  EXPECT_GE(block.capacity(), 100U);
  EXPECT_FALSE(Storage());
  EXPECT_EQ(Storage().data(), nullptr);
}

}  // namespace
}  // namespace tapehead
