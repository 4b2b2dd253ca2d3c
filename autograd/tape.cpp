#include "autograd/tape.h"

#include <cmath>

#include <fmt/format.h>

#include "autograd/check.h"
#include "base/error.h"

namespace tapehead {

namespace detail {

template <typename Scalar>
void destroy(Node<Scalar>* node) {
  if (node->tape != nullptr) node->tape->unlink(node);
  const Storage block = std::move(node->block);  // outlives the node that stands in it
  std::destroy_at(node);
}

template void destroy(Node<float>*);
template void destroy(Node<double>*);

}  // namespace detail

// ---- Putting values on the tape ----------------------------------------------------------------

template <typename Scalar>
Var<Scalar> Tape<Scalar>::leaf(Tensor<Scalar> value, bool requires_grad) {
  if (!value.defined()) throw ValueError("leaf: the tensor is empty; give it a shape and numbers");
  Var<Scalar> var = append(make_node<detail::PlainNode<Scalar>>(), Op::leaf, op_name(Op::leaf),
                           std::move(value), requires_grad && recording());
  var.ref_.get()->keeps_grad = var.requires_grad();
  return var;
}

template <typename Scalar>
typename Tape<Scalar>::Binding& Tape<Scalar>::binding(const ParameterStore<Scalar>& store) {
  for (Binding& b : bindings_) {
    if (b.store == &store) return b;
  }
  return bindings_.emplace_back(Binding{&store, {}, {}});
}

template <typename Scalar>
Var<Scalar> Tape<Scalar>::parameter(const Parameter<Scalar>& parameter) {
  Binding& bound = binding(parameter.store());
  bound.leaves.resize(parameter.store().parameters().size());
  Var<Scalar>& known = bound.leaves[static_cast<std::size_t>(parameter.index())];
  if (!known.defined()) {
    known = leaf(parameter.value(), true);
    if (bound.gradients.defined() && recording()) {
      Node* node = known.ref_.get();
      node->grad = parameter.store().part(bound.gradients, parameter);
      node->adds_in_place = true;
      node->scope = parameter.name();
    }
  }
  return known;
}

template <typename Scalar>
void Tape<Scalar>::bind_gradients(const ParameterStore<Scalar>& store, Tensor<Scalar> gradients) {
  if (gradients.shape() != store.values().shape()) {
    throw ShapeError(
        fmt::format("bind_gradients: the buffer has shape {}, the store's values have {}",
                    gradients.shape().str(), store.values().shape().str()));
  }
  Binding& bound = binding(store);
  for (const Var<Scalar>& leaf : bound.leaves) {
    if (leaf.defined()) {
      throw StateError(
          "bind_gradients: parameters of this store are on the tape; clear() it first");
    }
  }
  bound.gradients = std::move(gradients);
}

template <typename Scalar>
void Tape<Scalar>::substitute(const Parameter<Scalar>& parameter, const Var<Scalar>& value) {
  check_same_shape("substitute", parameter.name().c_str(), parameter.shape(), "value",
                   value.shape());
  Binding& bound = binding(parameter.store());
  bound.leaves.resize(parameter.store().parameters().size());
  bound.leaves[static_cast<std::size_t>(parameter.index())] = value;
}

template <typename Scalar>
bool Tape<Scalar>::needs_backward(std::string_view name,
                                  std::span<const Var<Scalar>> inputs) const {
  bool any = false;
  for (const Var<Scalar>& input : inputs) {
    if (&input.tape() != this) {
      throw StateError(fmt::format(
          "{}: its inputs are on two different tapes; all inputs of an op must share one", name));
    }
    any = any || input.requires_grad();
  }
  return any && recording();
}

template <typename Scalar>
Var<Scalar> Tape<Scalar>::append(Node* node, Op op, std::string_view name, Tensor<Scalar> value,
                                 bool requires_grad) {
  Var<Scalar> var{detail::NodeRef<Scalar>(node)};
  if (phase_ != Phase::kForward) {
    throw StateError(fmt::format(
        "{}: this tape has run backward, so nothing can be added to it; clear() it first", name));
  }
  node->op = op;
  node->name = name;
  node->scope = scope_;
  node->shape = value.shape();
  node->value = std::move(value);
  node->requires_grad = requires_grad;
  check_finite(*node, node->value, "value of");
  node->tape = this;
  node->previous = last_;
  (last_ != nullptr ? last_->next : first_) = node;
  last_ = node;
  ++node_count_;
  if (recording()) ++node->references;  // the tape's own reference, given back by clear()
  return var;
}

template <typename Scalar>
void Tape<Scalar>::check_finite(const Node& node, const Tensor<Scalar>& numbers,
                                const char* what) const {
  if (!context_.check_finite) return;
  for (Index i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) {
      throw NonFiniteError(
          fmt::format("check-finite: the {} op '{}' in layer '{}', shape {}, is {} at {}", what,
                      node.name, node.scope.empty() ? "(none)" : node.scope, numbers.shape().str(),
                      numbers[i], position_str(numbers.shape(), i)));
    }
  }
}

template <typename Scalar>
void Tape<Scalar>::check_passed_on(const Tensor<Scalar>& gradient) const {
  if (passing_on_ != nullptr) check_finite(*passing_on_, gradient, "gradient passed on by");
}

// ---- The backward pass -------------------------------------------------------------------------

template <typename Scalar>
void Tape<Scalar>::backward(const Var<Scalar>& loss) {
  if (loss.shape().size() != 1) {
    throw ShapeError(fmt::format(
        "backward: the loss has shape {}; it must hold one number (take its sum or mean, or give "
        "an upstream gradient)",
        loss.shape().str()));
  }
  Tensor<Scalar> one = allocate(loss.shape());
  one.fill(Scalar(1));
  backward(loss, one);
}

template <typename Scalar>
void Tape<Scalar>::backward(const Var<Scalar>& y, const Tensor<Scalar>& upstream) {
  if (&y.tape() != this) throw StateError("backward: the loss is on another tape");
  if (!recording()) {
    throw StateError("backward: this tape does not record (Mode::kInference); use a recording one");
  }
  if (phase_ != Phase::kForward) {
    throw StateError(
        "backward: it has run on this tape already and freed what it used; clear() the tape and "
        "compute the loss anew");
  }
  if (!y.requires_grad()) {
    throw StateError(
        fmt::format("backward: the loss (op '{}') depends on no value that requires a gradient",
                    y.node().name));
  }
  check_same_shape("backward", "y", y.shape(), "upstream", upstream.shape());
  phase_ = Phase::kBackward;
  add_grad(y, upstream);
  run_backward(y.ref_.get());
  phase_ = Phase::kDone;
}

template <typename Scalar>
void Tape<Scalar>::run_backward(Node* root) {
  for (Node* node = root; node != nullptr; node = node->previous) {
    if (node->has_backward()) {
      if (node->has_gradient()) {
        const Tensor<Scalar> dy = node->take_gradient();
        if (dy.defined()) check_finite(*node, dy, "gradient arriving at");
        passing_on_ = node;
        node->run_backward(*this, node->value, dy);
        passing_on_ = nullptr;
      }
      node->drop_backward();
    }
    // Those who used this value come later on the tape and have let go of it: a second reference
    // is a Var that the caller holds.
    if (node->references == 1) node->value = {};
  }
}

template <typename Scalar>
bool Tape<Scalar>::prepare_grad(Node& node) {
  if (!node.grad.defined()) {
    node.grad = allocate(node.shape);
    return true;
  }
  if (!node.adds_in_place && !node.grad.unique()) {  // shared with another node: copy before adding
    Tensor<Scalar> own = allocate(node.shape);
    std::copy_n(node.grad.data(), node.grad.size(), own.data());
    node.grad = std::move(own);
  }
  return false;
}

template <typename Scalar>
void Tape<Scalar>::add_grad(const Var<Scalar>& x, Tensor<Scalar> dx) {
  Node& node = x.node();
  if (!node.requires_grad) return;
  if (dx.shape() != node.shape) {
    throw ShapeError(fmt::format("add_grad: gradient of shape {} for op '{}' of shape {}",
                                 dx.shape().str(), node.name, node.shape.str()));
  }
  check_passed_on(dx);
  if (!node.grad.defined()) {
    node.grad = std::move(dx);
    return;
  }
  prepare_grad(node);
  Scalar* __restrict sum = node.grad.data();
  const Scalar* __restrict term = dx.data();
  for (Index i = 0; i < dx.size(); ++i) sum[i] += term[i];
}

template <typename Scalar>
void Tape<Scalar>::add_grad_product(const Var<Scalar>& x, Gemm<Scalar> product) {
  Node& node = x.node();
  if (!node.requires_grad) return;
  if (product.m * product.n != node.shape.size()) {
    throw ShapeError(fmt::format("add_grad_product: a {} x {} product for op '{}' of shape {}",
                                 product.m, product.n, node.name, node.shape.str()));
  }
  product.beta = prepare_grad(node) ? Scalar(0) : Scalar(1);
  product.c = node.grad.data();
  product.ldc = product.n;
  gemm(product, threads());
  check_passed_on(node.grad);
}

template <typename Scalar>
void Tape<Scalar>::keep_grad(const Var<Scalar>& x) {
  Node& node = x.node();
  if (phase_ != Phase::kForward) {
    throw StateError(
        fmt::format("keep_grad: backward has run already (op '{}', shape {}); call it "
                    "before",
                    node.name, node.shape.str()));
  }
  node.keeps_grad = true;
}

// ---- Memory and state --------------------------------------------------------------------------

template <typename Scalar>
Tensor<Scalar> Tape<Scalar>::allocate_zeros(const Shape& shape) {
  Tensor<Scalar> zeros = allocate(shape);
  zeros.fill(Scalar(0));
  return zeros;
}

template <typename Scalar>
void Tape<Scalar>::unlink(Node* node) {
  (node->previous != nullptr ? node->previous->next : first_) = node->next;
  (node->next != nullptr ? node->next->previous : last_) = node->previous;
  node->previous = node->next = nullptr;
  node->tape = nullptr;
  --node_count_;
}

template <typename Scalar>
void Tape<Scalar>::clear() {
  for (Binding& bound : bindings_) {
    for (Var<Scalar>& leaf : bound.leaves) leaf = {};
  }
  // From the back, so that a node is let go after those that use it: no chain of destructors.
  while (last_ != nullptr) {
    const detail::NodeRef<Scalar> node(last_);
    node.get()->drop_backward();
    node.get()->value = {};
    node.get()->grad = {};
    unlink(node.get());
    if (recording()) --node.get()->references;
  }
  phase_ = Phase::kForward;
  passing_on_ = nullptr;
}

template <typename Scalar>
Index Tape<Scalar>::count(Op op) const {
  Index n = 0;
  for (const Node* node = first_; node != nullptr; node = node->next) n += node->op == op ? 1 : 0;
  return n;
}

template class Tape<float>;
template class Tape<double>;

}  // namespace tapehead
