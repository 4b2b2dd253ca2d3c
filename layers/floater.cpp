#include "layers/floater.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/ops/add.h"
#include "autograd/ops/concat.h"
#include "autograd/ops/scale.h"
#include "autograd/ops/tanh.h"
#include "base/error.h"

namespace tapehead {

template <typename Scalar>
Floater<Scalar>::Floater(const Builder<Scalar>& at, Index width)
    : start_(&at.embedding("start", 1, width)),
      fc1_(at / "fc1", width, width),
      time_(&at.linear_bias("time", width, width)),
      fc2_(at / "fc2", width, width) {}

template <typename Scalar>
Var<Scalar> Floater<Scalar>::field(double t, const Var<Scalar>& p) const {
  const Var<Scalar> inside = add(fc1_.forward(p), scale(p.tape().parameter(*time_), t));
  return fc2_.forward(tanh(inside));
}

template <typename Scalar>
Var<Scalar> Floater<Scalar>::step(double from, double positions, const Var<Scalar>& p) const {
  const double t = from * kTimePerPosition, dt = positions * kTimePerPosition;
  const Var<Scalar> k1 = field(t, p);
  const Var<Scalar> k2 = field(t + dt / 2, add(p, scale(k1, dt / 2)));
  const Var<Scalar> k3 = field(t + dt / 2, add(p, scale(k2, dt / 2)));
  const Var<Scalar> k4 = field(t + dt, add(p, scale(k3, dt)));
  const Var<Scalar> mean = add(add(k1, k4), scale(add(k2, k3), 2.0));
  return add(p, scale(mean, dt / 6));
}

template <typename Scalar>
Var<Scalar> Floater<Scalar>::at(Tape<Scalar>& tape, std::span<const double> positions) const {
  const typename Tape<Scalar>::Scope scope(tape, start_->name());
  std::vector<Var<Scalar>> rows;
  Var<Scalar> p = tape.parameter(*start_);
  double here = 0;  // whole position of p
  double last = 0;
  for (const double position : positions) {
    if (!(position >= last) || !std::isfinite(position)) {
      throw ValueError(
          fmt::format("floater: position {} after {}; positions must be finite, not negative and "
                      "in ascending order",
                      position, last));
    }
    last = position;
    for (; here + 1 <= position; here += 1) p = step(here, 1, p);
    rows.push_back(position == here ? p : step(here, position - here, p));
  }
  return rows.empty() ? tape.leaf(Tensor<Scalar>({0, start_->shape()[1]}))
                      : concat(std::span<const Var<Scalar>>(rows), 0);
}

template <typename Scalar>
Var<Scalar> Floater<Scalar>::forward(const Var<Scalar>& x, Index first,
                                     Tensor<Scalar>* state) const {
  check_rank("floater positions", "x", x.shape(), 3);
  check_last_dim("floater positions", "x", x.shape(), start_->shape()[1],
                 "the width of the positions");
  Tape<Scalar>& tape = x.tape();
  const typename Tape<Scalar>::Scope scope(tape, start_->name());
  const bool goes_on = state != nullptr && state->defined() && first > 0;
  Index here = goes_on ? first - 1 : 0;
  Var<Scalar> p = goes_on ? tape.leaf(*state) : tape.parameter(*start_);
  const auto go_to = [&](Index position) {
    for (; here < position; ++here) p = step(static_cast<double>(here), 1, p);
  };
  std::vector<Var<Scalar>> rows;
  for (Index i = 0; i < x.dim(1); ++i) {
    go_to(first + i);
    rows.push_back(p);
  }
  if (rows.empty()) return x;
  if (state != nullptr) *state = p.value();
  return add(x, concat(std::span<const Var<Scalar>>(rows), 0));
}

template class Floater<float>;
template class Floater<double>;

}  // namespace tapehead
