#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "autograd/op.h"
#include "autograd/tensor.h"

namespace tapehead {

template <typename Scalar>
class Tape;

namespace detail {

/// One recorded value: what was computed, its gradient while backward runs, and how to pass the
/// gradient on. Nodes are linked in the order of creation. A node lives while its tape (if it
/// records) or a Var holds it; not thread-safe, as a tape belongs to one thread at a time.
template <typename Scalar>
class Node {
 public:
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Tape<Scalar>* tape = nullptr;  // null once the tape was cleared or destroyed: the node is stale
  Node* previous = nullptr;
  Node* next = nullptr;
  Storage block;         // the memory of the node itself
  Tensor<Scalar> value;  // undefined once backward has freed it
  Tensor<Scalar> grad;
  Shape shape;
  std::string_view name;   // of the op
  std::string_view scope;  // of the layer that recorded it
  std::uint32_t references = 0;
  Op op = Op::leaf;
  bool requires_grad = false;
  bool keeps_grad = false;     // the gradient stays readable after backward
  bool adds_in_place = false;  // the gradient is a buffer of the caller's: always added to

  /// True if this node has a backward function left to run.
  virtual bool has_backward() const { return false; }
  /// True if the loss depends on what this node computed.
  virtual bool has_gradient() const { return grad.defined(); }
  /// The gradient, which is handed over unless it is kept.
  Tensor<Scalar> take_gradient() { return keeps_grad ? grad : std::exchange(grad, {}); }
  virtual void run_backward(Tape<Scalar>& /*on*/, const Tensor<Scalar>& /*y*/,
                            const Tensor<Scalar>& /*dy*/) {}
  /// Frees what the backward function holds.
  virtual void drop_backward() {}

 protected:
  Node() = default;
};

/// A node that holds its backward function.
template <typename Scalar, typename Backward>
class NodeWithBackward final : public Node<Scalar> {
 public:
  explicit NodeWithBackward(Backward backward) : backward_(std::move(backward)) {}
  bool has_backward() const override { return backward_.has_value(); }
  void run_backward(Tape<Scalar>& on, const Tensor<Scalar>& y, const Tensor<Scalar>& dy) override {
    (*backward_)(on, y, dy);
  }
  void drop_backward() override { backward_.reset(); }

 private:
  std::optional<Backward> backward_;
};

/// The first of `n` results of one op, with the backward function of all. The others are plain
/// nodes behind it on the tape, so that their gradients are complete when its turn comes; the tape
/// holds them as long as it holds this one.
template <typename Scalar, std::size_t n, typename Backward>
class NodeOfSeveral final : public Node<Scalar> {
 public:
  explicit NodeOfSeveral(Backward backward) : backward_(std::move(backward)) {}
  void set_other(std::size_t i, Node<Scalar>* node) { others_[i - 1] = node; }
  bool has_backward() const override { return backward_.has_value(); }
  bool has_gradient() const override {
    return this->grad.defined() ||
           std::ranges::any_of(others_, [](const auto* other) { return other->grad.defined(); });
  }
  void run_backward(Tape<Scalar>& on, const Tensor<Scalar>& /*y*/,
                    const Tensor<Scalar>& dy) override {
    std::array<Tensor<Scalar>, n> dys = {dy};
    for (std::size_t i = 1; i < n; ++i) dys[i] = others_[i - 1]->take_gradient();
    (*backward_)(on, dys);
  }
  void drop_backward() override { backward_.reset(); }

 private:
  std::optional<Backward> backward_;
  std::array<Node<Scalar>*, n - 1> others_ = {};
};

/// A node without a backward function of its own.
template <typename Scalar>
class PlainNode final : public Node<Scalar> {};

/// Unlinks the node and returns its memory to the pool.
template <typename Scalar>
void destroy(Node<Scalar>* node);

/// Counted reference to a node.
template <typename Scalar>
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(Node<Scalar>* node) : node_(node) {
    if (node_ != nullptr) ++node_->references;
  }
  NodeRef(const NodeRef& other) : NodeRef(other.node_) {}
  NodeRef(NodeRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodeRef& operator=(NodeRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~NodeRef() {
    if (node_ != nullptr && --node_->references == 0) destroy(node_);
  }
  Node<Scalar>* get() const { return node_; }

 private:
  Node<Scalar>* node_ = nullptr;
};

}  // namespace detail
}  // namespace tapehead
