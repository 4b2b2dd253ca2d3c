#include "layers/recurrent_positions.h"

#include <vector>

#include "autograd/check.h"
#include "autograd/ops/add.h"
#include "autograd/ops/concat.h"
#include "autograd/ops/slice.h"
#include "autograd/ops/tanh.h"

namespace tapehead {

template <typename Scalar>
RecurrentPositions<Scalar>::RecurrentPositions(const Builder<Scalar>& at, Index width)
    : input_(at / "input", width, width), hidden_(at / "hidden", width, width, false) {}

template <typename Scalar>
Var<Scalar> RecurrentPositions<Scalar>::forward(const Var<Scalar>& x, Tensor<Scalar>* state) const {
  check_rank("recurrent positions", "x", x.shape(), 3);
  const Var<Scalar> inputs = input_.forward(x);
  std::vector<Var<Scalar>> states;
  Var<Scalar> h;
  if (state != nullptr && state->defined()) h = x.tape().leaf(*state);
  for (Index t = 0; t < x.dim(1); ++t) {
    Var<Scalar> sum = slice(inputs, 1, t, t + 1);  // (batch, 1, width)
    if (h.defined()) sum = add(sum, hidden_.forward(h));
    h = tanh(sum);
    states.push_back(h);
  }
  if (states.empty()) return x;
  if (state != nullptr) *state = h.value();
  return add(x, concat(std::span<const Var<Scalar>>(states), 1));
}

template class RecurrentPositions<float>;
template class RecurrentPositions<double>;

}  // namespace tapehead
