#include "autograd/ops/dropout.h"

#include <fmt/format.h>

#include "autograd/kernels/dropout.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kDrawsPerChunk = 4096;

template <typename Scalar>
void multiply(const Tensor<Scalar>& a, const Tensor<Scalar>& b, Tensor<Scalar>& y) {
  Scalar* __restrict out = y.data();
  for (Index i = 0; i < y.size(); ++i) out[i] = a[i] * b[i];
}

// Index, in the whole batch, of the first element of a tensor of this shape.
Index first_element(const Shape& shape, Index first_row) {
  return shape.rank() == 0 || shape[0] == 0 ? 0 : first_row * (shape.size() / shape[0]);
}

}  // namespace

template <typename Scalar>
Var<Scalar> dropout(const Var<Scalar>& x, double p, std::uint32_t layer_id) {
  if (!(p >= 0 && p < 1)) {
    throw ValueError(fmt::format("dropout: p is {}; it must be in [0, 1)", p));
  }
  Tape<Scalar>& tape = x.tape();
  const RunContext& context = tape.context();
  if (!context.training || p == 0) return x;
  const kernels::DropoutKey key{context.seed, context.step, layer_id};
  const Index first = first_element(x.shape(), context.first_row);
  Tensor<Scalar> mask = tape.allocate(x.shape());
  parallel_chunks(tape.threads(), mask.size(), kDrawsPerChunk, [&](Index begin, Index end) {
    kernels::dropout_mask(key, first + begin, end - begin, p, mask.data() + begin);
  });
  Tensor<Scalar> y = tape.allocate(x.shape());
  multiply(x.value(), mask, y);
  return tape.record(
      Op::dropout, std::move(y), {x},
      [x, mask](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        Tensor<Scalar> dx = t.allocate(dy.shape());
        multiply(dy, mask, dx);
        t.add_grad(x, dx);
      });
}

template Var<float> dropout(const Var<float>&, double, std::uint32_t);
template Var<double> dropout(const Var<double>&, double, std::uint32_t);

}  // namespace tapehead
