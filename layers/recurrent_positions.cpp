#include "layers/recurrent_positions.h"

#include "autograd/check.h"
#include "autograd/ops/add.h"

namespace tapehead {

namespace {

RecurrentConfig tanh_network(Index width) {
  RecurrentConfig c;
  c.cell = CellKind::kRnn;
  c.input = c.hidden = width;
  return c;
}

}  // namespace

template <typename Scalar>
RecurrentPositions<Scalar>::RecurrentPositions(const Builder<Scalar>& at, Index width)
    : network_(at, tanh_network(width)) {}

template <typename Scalar>
Var<Scalar> RecurrentPositions<Scalar>::forward(const Var<Scalar>& x, Tensor<Scalar>* state) const {
  check_rank("recurrent positions", "x", x.shape(), 3);
  if (x.dim(1) == 0) return x;
  if (state == nullptr) return add(x, network_.forward(x));
  RecurrentState<Scalar> goes_on;
  if (state->defined()) goes_on.h = {*state};
  const Var<Scalar> h = network_.forward(x, &goes_on);
  *state = goes_on.h.front();
  return add(x, h);
}

template class RecurrentPositions<float>;
template class RecurrentPositions<double>;

}  // namespace tapehead
