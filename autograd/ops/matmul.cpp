#include "autograd/ops/matmul.h"

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/broadcast_index.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

Shape batch_shape(const Shape& shape) {
  return Shape(shape.sizes().first(static_cast<std::size_t>(shape.rank() - 2)));
}

// The sizes of one batched product, and which matrix of a and of b belongs to which of y.
struct Plan {
  bool transpose_a, transpose_b;
  Index m, n, k;
  Index batches;
  kernels::BroadcastIndex a, b;
  // The matrices of a, stacked, are one tall matrix that meets a single b: one large product.
  bool stacked;

  Plan(const Shape& a_shape, const Shape& b_shape, const Shape& batch, bool trans_a, bool trans_b)
      : transpose_a(trans_a),
        transpose_b(trans_b),
        m(a_shape.dim(trans_a ? -1 : -2)),
        n(b_shape.dim(trans_b ? -2 : -1)),
        k(a_shape.dim(trans_a ? -2 : -1)),
        batches(batch.size()),
        a(batch_shape(a_shape), batch),
        b(batch_shape(b_shape), batch),
        stacked(batches == 1 || (!trans_a && a.same() && batch_shape(b_shape).size() == 1)) {
    if (!stacked) return;
    m *= batches;
    batches = 1;
    a = b = kernels::BroadcastIndex({}, {});
  }
};

// y = op(a) op(b), without the places of the matrices.
template <typename Scalar>
Gemm<Scalar> product_y(const Plan& p) {
  return {.m = p.m,
          .n = p.n,
          .k = p.k,
          .lda = p.transpose_a ? p.m : p.k,
          .transpose_a = p.transpose_a,
          .ldb = p.transpose_b ? p.k : p.n,
          .transpose_b = p.transpose_b,
          .ldc = p.n};
}

// da = dy op(b)^T, or its transpose op(b) dy^T if a is stored transposed.
template <typename Scalar>
Gemm<Scalar> product_da(const Plan& p, const Scalar* b, const Scalar* dy) {
  const Index ldb = p.transpose_b ? p.k : p.n;
  if (p.transpose_a) {
    return {.m = p.k,
            .n = p.m,
            .k = p.n,
            .a = b,
            .lda = ldb,
            .transpose_a = p.transpose_b,
            .b = dy,
            .ldb = p.n,
            .transpose_b = true,
            .ldc = p.m};
  }
  return {.m = p.m,
          .n = p.k,
          .k = p.n,
          .a = dy,
          .lda = p.n,
          .b = b,
          .ldb = ldb,
          .transpose_b = !p.transpose_b,
          .ldc = p.k};
}

// db = op(a)^T dy, or its transpose dy^T op(a) if b is stored transposed.
template <typename Scalar>
Gemm<Scalar> product_db(const Plan& p, const Scalar* a, const Scalar* dy) {
  const Index lda = p.transpose_a ? p.m : p.k;
  if (p.transpose_b) {
    return {.m = p.n,
            .n = p.k,
            .k = p.m,
            .a = dy,
            .lda = p.n,
            .transpose_a = true,
            .b = a,
            .ldb = lda,
            .transpose_b = p.transpose_a,
            .ldc = p.k};
  }
  return {.m = p.k,
          .n = p.n,
          .k = p.m,
          .a = a,
          .lda = lda,
          .transpose_a = !p.transpose_a,
          .b = dy,
          .ldb = p.n,
          .ldc = p.n};
}

template <typename Scalar>
void matmul_forward(const Plan& p, const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                    Tensor<Scalar>& y, int threads) {
  const auto multiply = [&](Index i, int threads_inside) {
    Gemm<Scalar> product = product_y<Scalar>(p);
    product.a = a.data() + p.a(i) * p.m * p.k;
    product.b = b.data() + p.b(i) * p.k * p.n;
    product.c = y.data() + i * p.m * p.n;
    gemm(product, threads_inside);
  };
  if (p.batches == 1) return multiply(0, threads);
  const Index chunk = units_per_chunk(p.m * p.n * p.k);
  parallel_chunks(threads, p.batches, chunk, [&multiply](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) multiply(i, 0);
  });
}

// Adds product(i), the share of matrix i of y, to matrix place(i) of `sum`. The shares of one
// matrix are added in order; only if there is one share each do threads take different matrices.
template <typename Scalar, typename Product>
void add_products(const Plan& p, const kernels::BroadcastIndex& place, Scalar* sum, int threads,
                  const Product& product) {
  const auto add = [&](Index i, int threads_inside) {
    Gemm<Scalar> share = product(i);
    share.c = sum + place(i) * share.m * share.n;
    share.beta = 1;
    gemm(share, threads_inside);
  };
  if (!place.same()) {
    for (Index i = 0; i < p.batches; ++i) add(i, threads);
    return;
  }
  parallel_chunks(threads, p.batches, units_per_chunk(p.m * p.n * p.k),
                  [&add](Index begin, Index end) {
                    for (Index i = begin; i < end; ++i) add(i, 0);
                  });
}

template <typename Scalar>
void matmul_backward(Tape<Scalar>& tape, const Plan& p, const Var<Scalar>& a, const Var<Scalar>& b,
                     const Tensor<Scalar>& dy) {
  const Scalar* a_data = a.value().data();
  const Scalar* b_data = b.value().data();
  const Scalar* dy_data = dy.data();
  if (p.batches == 1) {
    tape.add_grad_product(a, product_da(p, b_data, dy_data));
    tape.add_grad_product(b, product_db(p, a_data, dy_data));
    return;
  }
  tape.accumulate(a, [&](Scalar* da) {
    add_products(p, p.a, da, tape.threads(), [&](Index i) {
      return product_da(p, b_data + p.b(i) * p.k * p.n, dy_data + i * p.m * p.n);
    });
  });
  tape.accumulate(b, [&](Scalar* db) {
    add_products(p, p.b, db, tape.threads(), [&](Index i) {
      return product_db(p, a_data + p.a(i) * p.m * p.k, dy_data + i * p.m * p.n);
    });
  });
}

void check_inner(const Shape& a, const Shape& b, bool transpose_a, bool transpose_b) {
  const Index a_inner = a.dim(transpose_a ? -2 : -1);
  const Index b_inner = b.dim(transpose_b ? -1 : -2);
  if (a_inner == b_inner) return;
  throw ShapeError(
      fmt::format("matmul: a has shape {}{}, b has shape {}{}; inner sizes {} and {} must be equal",
                  a.str(), transpose_a ? " (transposed)" : "", b.str(),
                  transpose_b ? " (transposed)" : "", a_inner, b_inner));
}

}  // namespace

template <typename Scalar>
Var<Scalar> matmul(const Var<Scalar>& a, const Var<Scalar>& b, bool transpose_a, bool transpose_b) {
  check_min_rank("matmul", "a", a.shape(), 2);
  check_min_rank("matmul", "b", b.shape(), 2);
  check_inner(a.shape(), b.shape(), transpose_a, transpose_b);
  const Shape batch = broadcast_shapes("matmul", batch_shape(a.shape()), batch_shape(b.shape()));
  const Plan plan(a.shape(), b.shape(), batch, transpose_a, transpose_b);
  Tape<Scalar>& tape = a.tape();
  Tensor<Scalar> y = tape.allocate(batch.appended(a.dim(transpose_a ? -1 : -2)).appended(plan.n));
  matmul_forward(plan, a.value(), b.value(), y, tape.threads());
  return tape.record(
      Op::matmul, std::move(y), {a, b},
      [plan, a, b](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        matmul_backward(t, plan, a, b, dy);
      });
}

template Var<float> matmul(const Var<float>&, const Var<float>&, bool, bool);
template Var<double> matmul(const Var<double>&, const Var<double>&, bool, bool);

}  // namespace tapehead
