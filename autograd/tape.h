#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "autograd/kernels/gemm.h"
#include "autograd/memory_pool.h"
#include "autograd/node.h"
#include "autograd/op.h"
#include "autograd/parameter_store.h"
#include "autograd/tensor.h"

namespace tapehead {

/// A handle to a value on a tape. Copying one copies a pointer.
///
/// Every use of a Var whose tape was cleared or destroyed throws StateError; so does reading a
/// value that backward has freed. Backward frees the values that only the tape still holds: what
/// you keep a Var of stays readable until the tape is cleared.
template <typename Scalar>
class Var {
 public:
  /// Refers to nothing; every use throws StateError.
  Var() = default;

  const Tensor<Scalar>& value() const;
  const Shape& shape() const;
  Index dim(int axis) const { return shape().dim(axis); }
  int rank() const { return shape().rank(); }
  bool requires_grad() const { return node().requires_grad; }
  /// The gradient that backward left here. Kept for leaves and after tape().keep_grad(var); a value
  /// that the loss does not depend on has gradient zero. Throws StateError before backward and
  /// where no gradient was kept.
  Tensor<Scalar> grad() const;
  Tape<Scalar>& tape() const { return *node().tape; }
  bool defined() const { return ref_.get() != nullptr; }
  /// True if both name the same value on the same tape.
  bool same_as(const Var& other) const { return ref_.get() == other.ref_.get(); }

 private:
  friend class Tape<Scalar>;
  explicit Var(detail::NodeRef<Scalar> ref) : ref_(std::move(ref)) {}
  detail::Node<Scalar>& node() const;  // throws StateError if stale

  detail::NodeRef<Scalar> ref_;
};

/// How one forward pass is run, for the layers that behave differently in training.
struct RunContext {
  bool training = false;   ///< dropout is active
  std::uint64_t seed = 0;  ///< of the run; with `step` it names the random numbers of this pass
  std::uint64_t step = 0;  ///< optimizer step
  Index first_row = 0;     ///< position of this tape's first batch row in the whole batch
  /// 0: ops are serial (this tape is one of several shards). n >= 1: ops cut their outputs into
  /// chunks of fixed size for up to n threads; the bits are the same for every n >= 1.
  int threads = 0;
  bool check_finite = false;  ///< throw NonFiniteError where a NaN or an infinity arises
};

/// The ordered record of one forward pass, and the owner of everything it computed.
///
///     Tape<double> tape;
///     Var<double> x = tape.leaf(Tensor<double>({3}, {1, 2, 3}), true);
///     Var<double> loss = sum(square(x));
///     tape.backward(loss);
///     x.grad();                                    // 2, 4, 6
///
/// Creation order is a topological order, so backward is one walk from the loss to the front. A
/// tape serves one pass: clear() it before the next; memory is kept for reuse. One thread at a
/// time.
template <typename Scalar>
class Tape {
 public:
  enum class Mode {
    kRecord,    ///< keep what backward needs
    kInference  ///< keep nothing: a value lives as long as a Var of it
  };

  explicit Tape(Mode mode = Mode::kRecord) : mode_(mode) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;
  ~Tape() { clear(); }

  // --- Putting values on the tape ---------------------------------------------------------------

  /// A given value. With `requires_grad`, its gradient is readable after backward.
  Var<Scalar> leaf(Tensor<Scalar> value, bool requires_grad = false);

  /// The parameter as a leaf; the same parameter gives the same leaf until clear().
  Var<Scalar> parameter(const Parameter<Scalar>& parameter);

  /// Adds the gradients of `store`'s parameters to `gradients` (laid out as store.values()) instead
  /// of keeping them on the tape. Holds until bound anew; call it on an empty tape.
  void bind_gradients(const ParameterStore<Scalar>& store, Tensor<Scalar> gradients);

  /// Uses `value` in place of the parameter until clear(). For gradient checks of layers.
  void substitute(const Parameter<Scalar>& parameter, const Var<Scalar>& value);

  /// Records `value` as computed by `op` from `inputs`; for the ops only. `backward(tape, y, dy)`
  /// is called at most once, with the op's output and its gradient, and delivers gradients with
  /// add_grad or add_grad_product. It is dropped if no input requires a gradient.
  template <typename Backward>
  Var<Scalar> record(Op op, Tensor<Scalar> value, std::initializer_list<Var<Scalar>> inputs,
                     Backward backward) {
    return record(op, op_name(op), std::move(value), {inputs.begin(), inputs.size()},
                  std::move(backward));
  }
  template <typename Backward>
  Var<Scalar> record(Op op, Tensor<Scalar> value, std::span<const Var<Scalar>> inputs,
                     Backward backward) {
    return record(op, op_name(op), std::move(value), inputs, std::move(backward));
  }
  /// As record(), for an op of several results, in the order of `values`. `backward(tape, dys)`
  /// gets their gradients; those of results that the loss does not depend on are undefined.
  template <std::size_t n, typename Backward>
  std::array<Var<Scalar>, n> record_several(Op op, std::array<Tensor<Scalar>, n> values,
                                            std::span<const Var<Scalar>> inputs,
                                            Backward backward) {
    using First = detail::NodeOfSeveral<Scalar, n, Backward>;
    std::array<Var<Scalar>, n> results;
    const bool differentiable = needs_backward(op_name(op), inputs);
    First* first = nullptr;
    for (std::size_t i = 0; i < n; ++i) {
      const bool leads = i == 0 && differentiable;
      Node* node =
          leads ? make_node<First>(std::move(backward)) : make_node<detail::PlainNode<Scalar>>();
      if (leads) first = static_cast<First*>(node);
      results[i] = append(node, op, op_name(op), std::move(values[i]), differentiable);
      if (first != nullptr && i > 0) first->set_other(i, node);
    }
    return results;
  }
  /// As record(), for an op outside the library. `name` must outlive the tape (a literal).
  template <typename Backward>
  Var<Scalar> record_custom(std::string_view name, Tensor<Scalar> value,
                            std::initializer_list<Var<Scalar>> inputs, Backward backward) {
    return record(Op::custom, name, std::move(value), {inputs.begin(), inputs.size()},
                  std::move(backward));
  }

  // --- The backward pass ------------------------------------------------------------------------

  /// Computes the gradients of `loss`, which must hold one number, with respect to every leaf.
  /// Throws StateError if this tape ran backward before, does not record, or `loss` depends on
  /// nothing that requires a gradient.
  void backward(const Var<Scalar>& loss);
  /// The same for sum(upstream * y). Throws ShapeError if the shapes differ.
  void backward(const Var<Scalar>& y, const Tensor<Scalar>& upstream);

  /// Adds dx to the gradient of x; nothing happens if x requires none. For backward functions.
  void add_grad(const Var<Scalar>& x, Tensor<Scalar> dx);
  /// Adds product.alpha * op(a) * op(b), which has as many elements as x, to the gradient of x
  /// without a temporary. `product.c` and `product.beta` are set here.
  void add_grad_product(const Var<Scalar>& x, Gemm<Scalar> product);
  /// Calls add(sum), `sum` being the numbers of the gradient of x so far (zeros at first), to which
  /// `add` adds its share and does nothing else; not called if x requires no gradient. For
  /// gradients that touch only part of x, or that are sums over rows: no temporary is needed.
  template <typename Add>
  requires std::invocable<Add, Scalar*>
  void accumulate(const Var<Scalar>& x, const Add& add) {
    if (!x.requires_grad()) return;
    if (prepare_grad(x.node())) x.node().grad.fill(Scalar(0));
    add(x.node().grad.data());
    check_passed_on(x.node().grad);
  }

  /// Keeps the gradient of an intermediate value readable after backward. Throws StateError once
  /// backward has run.
  void keep_grad(const Var<Scalar>& x);

  // --- Memory and state -------------------------------------------------------------------------

  /// An uninitialised tensor from this tape's pool.
  template <typename T = Scalar>
  Tensor<T> allocate(const Shape& shape) {
    return Tensor<T>(shape, pool_.allocate(static_cast<std::size_t>(shape.size()) * sizeof(T)));
  }
  Tensor<Scalar> allocate_zeros(const Shape& shape);

  /// Forgets the recorded pass: every Var of it becomes stale. Memory stays in the pool, gradient
  /// bindings and the context hold on.
  void clear();

  bool recording() const { return mode_ == Mode::kRecord; }
  RunContext& context() { return context_; }
  const RunContext& context() const { return context_; }
  int threads() const { return context_.threads; }
  const MemoryPool& pool() const { return pool_; }
  /// Number of values on the tape that are alive.
  Index node_count() const { return node_count_; }
  /// How often `op` was recorded and is still on the tape.
  Index count(Op op) const;

  /// Names the layer that records from here to the end of the object's life, for error messages.
  /// `name` must outlive the tape's pass.
  class Scope {
   public:
    Scope(Tape& tape, std::string_view name)
        : tape_(tape), outer_(std::exchange(tape.scope_, name)) {}
    ~Scope() { tape_.scope_ = outer_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Tape& tape_;
    std::string_view outer_;
  };

 private:
  using Node = detail::Node<Scalar>;
  friend void detail::destroy<Scalar>(Node* node);

  enum class Phase {
    kForward,
    kBackward,  // running, or stopped by an error
    kDone
  };

  // The leaves of one store's parameters, and where their gradients go.
  struct Binding {
    const ParameterStore<Scalar>* store;
    Tensor<Scalar> gradients;         // undefined: kept on the tape
    std::vector<Var<Scalar>> leaves;  // by parameter index; empty Vars until used
  };

  template <typename Backward>
  requires std::invocable < Backward, Tape&, const Tensor<Scalar>
  &, const Tensor<Scalar>& > Var<Scalar> record(Op op, std::string_view name, Tensor<Scalar> value,
                                                std::span<const Var<Scalar>> inputs,
                                                Backward backward) {
    if (!needs_backward(name, inputs)) {
      return append(make_node<detail::PlainNode<Scalar>>(), op, name, std::move(value), false);
    }
    return append(make_node<detail::NodeWithBackward<Scalar, Backward>>(std::move(backward)), op,
                  name, std::move(value), true);
  }

  template <typename NodeType, typename... Args>
  Node* make_node(Args&&... args) {
    Storage block = pool_.allocate(sizeof(NodeType));
    Node* node =
        std::construct_at(static_cast<NodeType*>(block.data()), std::forward<Args>(args)...);
    node->block = std::move(block);
    return node;
  }
  bool needs_backward(std::string_view name, std::span<const Var<Scalar>> inputs) const;
  Var<Scalar> append(Node* node, Op op, std::string_view name, Tensor<Scalar> value,
                     bool requires_grad);
  /// If checking was asked for, throws NonFiniteError unless `numbers`, which are `what` `node`,
  /// are finite.
  void check_finite(const Node& node, const Tensor<Scalar>& numbers, const char* what) const;
  /// The same for a gradient that the node whose backward function runs has delivered.
  void check_passed_on(const Tensor<Scalar>& gradient) const;
  void run_backward(Node* root);
  /// Makes node.grad a tensor that may be added to; true if it is new, its numbers uninitialised.
  bool prepare_grad(Node& node);
  Binding& binding(const ParameterStore<Scalar>& store);
  void unlink(Node* node);

  MemoryPool pool_;
  Mode mode_;
  RunContext context_;
  std::vector<Binding> bindings_;
  Node* first_ = nullptr;
  Node* last_ = nullptr;
  Index node_count_ = 0;
  Phase phase_ = Phase::kForward;
  const Node* passing_on_ = nullptr;  // the node whose backward function runs now
  std::string_view scope_;

  friend class Var<Scalar>;
};

}  // namespace tapehead
