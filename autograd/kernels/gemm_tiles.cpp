#include "autograd/kernels/gemm_tiles.h"

#include <algorithm>
#include <cstring>

#include "autograd/kernels/registers.h"

namespace tapehead::kernels {

namespace {

// A tile of c is kTileRows x 2 registers. With 32 registers, 12 x 2 sums, the two of b and one of a
// fit; with 16 registers, 6 x 2 sums. Both are enough independent sums to hide the latency of a
// multiply-add (4 cycles, 2 a cycle).
constexpr Index kTileRows = kRegisterCount == 32 ? 12 : 6;
template <typename Scalar>
constexpr Index kTileColumns = 2 * kLanes<Scalar>;

// Sizes of what is packed, and from which on it is. Measured with bench/gemm_bench at the sizes of
// docs/performance.md's jobs.
//
// Rows of op(b) taken at a time: kDepth x kTileColumns floats take 48 KB, and stay near.
constexpr Index kDepth = 384;
// Columns of a stored transposed that are packed at a time: 144 KB of floats, for the second-level
// cache.
constexpr Index kPackedRows = 96;
static_assert(kPackedRows % kTileRows == 0);
// Rows farther apart than this are on other pages of memory, or fall on one another in the
// first-level cache: then reading a strip of many of them in place costs more than packing it.
constexpr std::size_t kFarApartA = 2048;
constexpr std::size_t kFarApartB = 4096;
// ... if it is then read for more panels of b than these.
constexpr Index kPanelsToPackFor = 4;

// Where a tile finds numbers: (i, j) at first[i * down + j * right].
template <typename Scalar>
struct Source {
  const Scalar* first;
  Index down, right;
};

// sums = a * b, with a rows x depth and b depth x `registers` registers.
template <typename Scalar, Index rows, Index registers, bool a_is_transposed>
[[gnu::always_inline]] inline void add_up(const Source<Scalar>& a, const Scalar* b, Index b_down,
                                          Index depth, Register<Scalar> (&sums)[rows][registers]) {
  for (Index p = 0; p < depth; ++p) {
    Register<Scalar> row[registers];
#pragma GCC unroll 2
    for (Index r = 0; r < registers; ++r) {
      std::memcpy(&row[r], b + p * b_down + r * kLanes<Scalar>, sizeof(row[r]));
    }
#pragma GCC unroll 12
    for (Index i = 0; i < rows; ++i) {
      const Scalar factor = a_is_transposed ? a.first[p * a.right + i] : a.first[i * a.down + p];
#pragma GCC unroll 2
      for (Index r = 0; r < registers; ++r) sums[i][r] += factor * row[r];
    }
  }
}

// One tile: rows x `columns` numbers of c, of which a tile's registers hold the first.
template <typename Scalar>
struct Tile {
  Source<Scalar> a;
  const Scalar* b;
  Index b_down;
  Index depth;
  Scalar* c;
  Index ldc;
  Index columns;
  Scalar alpha, beta;
};

// (Not inlined: the sums need all registers there are.)
template <Index rows, Index registers, bool a_is_transposed, typename Scalar>
[[gnu::noinline]] void compute(const Tile<Scalar>& t) {
  Register<Scalar> sums[rows][registers] = {};
  add_up<Scalar, rows, registers, a_is_transposed>(t.a, t.b, t.b_down, t.depth, sums);
#pragma GCC unroll 12
  for (Index i = 0; i < rows; ++i) {
#pragma GCC unroll 2
    for (Index r = 0; r < registers; ++r) {
      Scalar* const to = t.c + i * t.ldc + r * kLanes<Scalar>;
      Register<Scalar> result = t.alpha * sums[i][r];
      if (t.beta != Scalar(0)) {
        Register<Scalar> before;
        std::memcpy(&before, to, sizeof(before));
        result += t.beta * before;
      }
      std::memcpy(to, &result, sizeof(result));
    }
  }
}

// The number of a tile's rows is known when compiling: `rows` is counted down to it.
template <Index registers, bool a_is_transposed, Index rows = kTileRows, typename Scalar>
void compute_rows(Index wanted, const Tile<Scalar>& t) {
  if (wanted == rows) return compute<rows, registers, a_is_transposed>(t);
  if constexpr (rows > 1) compute_rows<registers, a_is_transposed, rows - 1>(wanted, t);
}

template <typename Scalar>
void compute_whole(Index rows, bool a_is_transposed, const Tile<Scalar>& t) {
  const bool one_register = t.columns <= kLanes<Scalar>;
  if (a_is_transposed) {
    one_register ? compute_rows<1, true>(rows, t) : compute_rows<2, true>(rows, t);
  } else {
    one_register ? compute_rows<1, false>(rows, t) : compute_rows<2, false>(rows, t);
  }
}

// The widths of c that a tile computes: one register or two. What lies beyond the matrix is 0.
template <typename Scalar>
Index padded(Index columns) {
  return columns <= kLanes<Scalar> ? kLanes<Scalar> : kTileColumns<Scalar>;
}

// A tile that ends within a register is computed aside.
template <typename Scalar>
void compute(Index rows, bool a_is_transposed, const Tile<Scalar>& t) {
  const Index width = padded<Scalar>(t.columns);
  if (t.columns == width) return compute_whole(rows, a_is_transposed, t);
  alignas(kRegisterBytes) Scalar aside[kTileRows * kTileColumns<Scalar>];
  Tile<Scalar> padded_tile = t;
  padded_tile.c = aside;
  padded_tile.ldc = width;
  padded_tile.beta = 0;
  compute_whole(rows, a_is_transposed, padded_tile);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < t.columns; ++j) {
      Scalar& to = t.c[i * t.ldc + j];
      to = aside[i * width + j] + (t.beta == Scalar(0) ? Scalar(0) : t.beta * to);
    }
  }
}

// 4 x 4 numbers, transposed: `from` has rows `from_down` apart, `to` rows `to_down` apart.
template <typename Scalar>
[[gnu::always_inline]] inline void transpose_4x4(const Scalar* from, Index from_down, Scalar* to,
                                                 Index to_down) {
  using Four [[gnu::vector_size(4 * sizeof(Scalar))]] = Scalar;
  Four row[4], half[4], column[4];
  for (Index i = 0; i < 4; ++i) std::memcpy(&row[i], from + i * from_down, sizeof(Four));
  half[0] = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
  half[1] = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  half[2] = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
  half[3] = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  for (Index i = 0; i < 4; i += 2) {
    column[i] = __builtin_shufflevector(half[i], half[i + 1], 0, 1, 4, 5);
    column[i + 1] = __builtin_shufflevector(half[i], half[i + 1], 2, 3, 6, 7);
  }
  for (Index i = 0; i < 4; ++i) std::memcpy(to + i * to_down, &column[i], sizeof(Four));
}

// Packs `columns` columns of op(b) from (p0, j0) on, `depth` rows of them, row by row.
template <typename Scalar>
void pack_b(const Gemm<Scalar>& p, Index p0, Index depth, Index j0, Index columns, Scalar* to) {
  const Index width = padded<Scalar>(columns);
  if (columns < width) std::fill_n(to, depth * width, Scalar(0));
  if (!p.transpose_b) {
    const Scalar* from = p.b + p0 * p.ldb + j0;
    for (Index i = 0; i < depth; ++i) std::copy_n(from + i * p.ldb, columns, to + i * width);
    return;
  }
  const Scalar* from = p.b + j0 * p.ldb + p0;
  const Index whole_columns = columns / 4 * 4, whole_depth = depth / 4 * 4;
  for (Index j = 0; j < whole_columns; j += 4) {
    for (Index i = 0; i < whole_depth; i += 4) {
      transpose_4x4(from + j * p.ldb + i, p.ldb, to + i * width + j, width);
    }
  }
  for (Index j = 0; j < columns; ++j) {
    for (Index i = j < whole_columns ? whole_depth : 0; i < depth; ++i) {
      to[i * width + j] = from[j * p.ldb + i];
    }
  }
}

// Packs `rows` rows of op(a), a stored transposed, from (i0, p0) on: tile after tile, each column
// by column.
template <typename Scalar>
void pack_transposed_a(const Gemm<Scalar>& p, Index i0, Index rows, Index p0, Index depth,
                       Scalar* to) {
  for (Index i = 0; i < rows; i += kTileRows) {
    const Scalar* from = p.a + p0 * p.lda + i0 + i;
    const Index here = std::min(kTileRows, rows - i);
    for (Index q = 0; q < depth; ++q) std::copy_n(from + q * p.lda, here, to + q * kTileRows);
    to += depth * kTileRows;
  }
}

// What is packed, if it is: the stack keeps the product off the heap.
template <typename Scalar>
struct Packed {
  alignas(kRegisterBytes) Scalar a[kPackedRows * kDepth];
  alignas(kRegisterBytes) Scalar b[kDepth * kTileColumns<Scalar>];
};

// op(a) from (i, p0) on, where it stands.
template <typename Scalar>
Source<Scalar> in_place(const Gemm<Scalar>& p, Index i, Index p0) {
  if (p.transpose_a) return {p.a + p0 * p.lda + i, 1, p.lda};
  return {p.a + i * p.lda + p0, p.lda, 1};
}

// All columns of c's rows [i0, i0 + rows), for `depth` rows of op(b) from p0 on.
template <typename Scalar>
void compute_block(const Gemm<Scalar>& p, Index i0, Index rows, Index p0, Index depth, bool pack_a,
                   Packed<Scalar>& packed) {
  if (pack_a) pack_transposed_a(p, i0, rows, p0, depth, packed.a);
  const bool pack_whole_b =
      p.transpose_b ||
      (static_cast<std::size_t>(p.ldb) * sizeof(Scalar) >= kFarApartB && rows > 2 * kTileRows);
  // Tiles of nearly equal heights: a last one of few rows would be slow.
  const Index tiles = (rows + kTileRows - 1) / kTileRows;
  const Index height = pack_a ? kTileRows : (rows + tiles - 1) / tiles;
  for (Index j = 0; j < p.n; j += kTileColumns<Scalar>) {
    Tile<Scalar> tile{};
    tile.depth = depth;
    tile.ldc = p.ldc;
    tile.columns = std::min(kTileColumns<Scalar>, p.n - j);
    tile.alpha = p.alpha;
    tile.beta = p0 == 0 ? p.beta : Scalar(1);
    if (pack_whole_b || tile.columns < kTileColumns<Scalar>) {
      pack_b(p, p0, depth, j, tile.columns, packed.b);
      tile.b = packed.b;
      tile.b_down = padded<Scalar>(tile.columns);
    } else {
      tile.b = p.b + p0 * p.ldb + j;
      tile.b_down = p.ldb;
    }
    for (Index i = 0; i < rows; i += height) {
      const Source<Scalar> packed_a{packed.a + i * depth, 1, kTileRows};
      tile.a = pack_a ? packed_a : in_place(p, i0 + i, p0);
      tile.c = p.c + (i0 + i) * p.ldc + j;
      compute(std::min(height, rows - i), p.transpose_a, tile);
    }
  }
}

// c = beta * c.
template <typename Scalar>
void scale(const Gemm<Scalar>& p) {
  for (Index i = 0; i < p.m; ++i) {
    for (Index j = 0; j < p.n; ++j) {
      Scalar& to = p.c[i * p.ldc + j];
      to = p.beta == Scalar(0) ? Scalar(0) : p.beta * to;
    }
  }
}

}  // namespace

template <typename Scalar>
void gemm_tiles(const Gemm<Scalar>& p) {
  if (p.k == 0) return scale(p);
  const bool pack_a = p.transpose_a &&
                      static_cast<std::size_t>(p.lda) * sizeof(Scalar) >= kFarApartA &&
                      p.n > kPanelsToPackFor * kTileColumns<Scalar>;
  const Index rows = pack_a ? kPackedRows : p.m;
  Packed<Scalar> packed;
  for (Index p0 = 0; p0 < p.k; p0 += kDepth) {
    const Index depth = std::min(kDepth, p.k - p0);
    for (Index i0 = 0; i0 < p.m; i0 += rows) {
      compute_block(p, i0, std::min(rows, p.m - i0), p0, depth, pack_a, packed);
    }
  }
}

template void gemm_tiles(const Gemm<float>&);
template void gemm_tiles(const Gemm<double>&);

}  // namespace tapehead::kernels
