#include "app/bench/bench_ops.h"

#include <functional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/bench/bench.h"
#include "app/bench/bench_timing.h"
#include "autograd/gradcheck.h"
#include "autograd/ops/ops.h"
#include "autograd/tape.h"
#include "autograd/to_float.h"
#include "base/error.h"
#include "base/random.h"

namespace tapehead {

namespace {

using Inputs = std::span<const Var<float>>;

// One op on the numbers of one job.
struct OpRun {
  std::vector<Tensor<float>> inputs;
  std::function<Var<float>(Inputs)> apply;
  double flops = 0;  // forward and backward; 0: it is bound by bandwidth
};

Tensor<float> random(const Shape& shape, std::uint64_t seed) {
  return to_float(uniform(shape, seed, 0.5, 1.5));  // in the domain of log and sqrt
}

TokenTensor random_tokens(const Shape& shape, Index vocabulary) {
  Random random(1);
  TokenTensor tokens(shape);
  for (Index i = 0; i < tokens.size(); ++i) {
    tokens[i] = static_cast<TokenId>(random.below(vocabulary));
  }
  return tokens;
}

// A product of 2 m n k operations forward, and twice as many backward.
double product_flops(Index m, Index n, Index k) {
  return 6.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

// The sizes of a job's activations, and inputs made of them.
class OpRuns {
 public:
  explicit OpRuns(const BenchJob& job)
      : job_(job), rows_(job.batch * job.length), x_(random({rows_, job.d_model}, 1)) {}

  OpRun of(Op op) const {
    switch (op) {
      case Op::add:
        return binary([](Inputs in) { return add(in[0], in[1]); });
      case Op::sub:
        return binary([](Inputs in) { return sub(in[0], in[1]); });
      case Op::mul:
        return binary([](Inputs in) { return mul(in[0], in[1]); });
      case Op::div:
        return binary([](Inputs in) { return div(in[0], in[1]); });
      case Op::mse_loss:
        return binary([](Inputs in) { return mse_loss(in[0], in[1]); });
      case Op::concat:
        return binary([](Inputs in) { return concat({in[0], in[1]}, 1); });
      case Op::neg:
        return unary([](Inputs in) { return neg(in[0]); });
      case Op::scale:
        return unary([](Inputs in) { return scale(in[0], 0.5); });
      case Op::exp:
        return unary([](Inputs in) { return exp(in[0]); });
      case Op::log:
        return unary([](Inputs in) { return log(in[0]); });
      case Op::sqrt:
        return unary([](Inputs in) { return sqrt(in[0]); });
      case Op::square:
        return unary([](Inputs in) { return square(in[0]); });
      case Op::tanh:
        return unary([](Inputs in) { return tanh(in[0]); });
      case Op::sigmoid:
        return unary([](Inputs in) { return sigmoid(in[0]); });
      case Op::relu:
        return unary([](Inputs in) { return relu(in[0]); });
      case Op::gelu:
        return unary([](Inputs in) { return gelu(in[0]); });
      case Op::silu:
        return unary([](Inputs in) { return silu(in[0]); });
      case Op::softplus:
        return unary([](Inputs in) { return softplus(in[0]); });
      case Op::sum:
        return unary([](Inputs in) { return sum(in[0], 1); });
      case Op::mean:
        return unary([](Inputs in) { return mean(in[0], 1); });
      case Op::max:
        return unary([](Inputs in) { return max(in[0], 1); });
      case Op::logsumexp:
        return unary([](Inputs in) { return logsumexp(in[0]); });
      case Op::softmax:
        return unary([](Inputs in) { return softmax(in[0]); });
      case Op::log_softmax:
        return unary([](Inputs in) { return log_softmax(in[0]); });
      case Op::dropout:
        return unary([](Inputs in) { return dropout(in[0], 0.1, 1); });
      case Op::permute:
        return unary([](Inputs in) { return permute(in[0], {1, 0}); });
      case Op::slice:
        return unary([](Inputs in) { return slice(in[0], 1, 0, in[0].dim(1) / 2); });
      case Op::reshape:
        return unary([](Inputs in) { return reshape(in[0], {in[0].shape().size()}); });
      case Op::mask_rows:
        return masked_rows();
      case Op::masked_softmax:
        return masked_columns();
      case Op::layer_norm:
        return layer_normed();
      case Op::rms_norm:
        return rms_normed();
      case Op::embedding:
        return embedded();
      case Op::cross_entropy:
        return classified();
      case Op::linear:
        return linear_layer([](Inputs in) { return linear(in[0], in[1], in[2]); });
      case Op::linear_activation:
        return linear_layer(
            [](Inputs in) { return linear_activation(in[0], in[1], in[2], Activation::kGelu); });
      case Op::packed_linear:
        return projections();
      case Op::matmul:
        return scores();
      case Op::attention:
        return attended();
      case Op::additive_attention:
        return additively_attended();
      case Op::rope:
        return rotated();
      case Op::sigma_reparam:
        return reparametrised();
      case Op::conv1d:
        return convolved();
      case Op::rnn:
        return recurrent(1, [](Inputs in) { return rnn(in[0], in[1], weights_of(in)); });
      case Op::lstm:
        return recurrent(
            4, [](Inputs in) { return lstm(in[0], in[1], in[1], weights_of(in)).output; });
      case Op::gru:
        return recurrent(3, [](Inputs in) { return gru(in[0], in[1], weights_of(in)); });
      case Op::leaf:
      case Op::custom:
        break;
    }
    throw ValueError(fmt::format("bench ops: '{}' is not timed", op_name(op)));
  }

 private:
  OpRun unary(std::function<Var<float>(Inputs)> f) const { return {{x_}, std::move(f)}; }
  OpRun binary(std::function<Var<float>(Inputs)> f) const {
    return {{x_, random(x_.shape(), 2)}, std::move(f)};
  }
  OpRun masked_rows() const {
    const auto keep = Tensor<std::uint8_t>::full({rows_}, 1);
    return unary([keep](Inputs in) { return mask_rows(in[0], keep); });
  }
  OpRun masked_columns() const {
    const auto mask = Tensor<std::uint8_t>::full({1, job_.d_model}, 1);
    return unary([mask](Inputs in) { return masked_softmax(in[0], mask); });
  }
  OpRun layer_normed() const {
    return {{x_, random({job_.d_model}, 2), random({job_.d_model}, 3)},
            [](Inputs in) { return layer_norm(in[0], in[1], in[2]); }};
  }
  OpRun rms_normed() const {
    return {{x_, random({job_.d_model}, 2)}, [](Inputs in) { return rms_norm(in[0], in[1]); }};
  }
  OpRun embedded() const {
    const TokenTensor tokens = random_tokens({job_.batch, job_.length}, job_.vocabulary);
    return {{random({job_.vocabulary, job_.d_model}, 2)},
            [tokens](Inputs in) { return embedding(in[0], tokens); }};
  }
  OpRun classified() const {
    const TokenTensor targets = random_tokens({rows_}, job_.vocabulary);
    return {{random({rows_, job_.vocabulary}, 2)},
            [targets](Inputs in) { return cross_entropy(in[0], targets); }};
  }
  OpRun linear_layer(std::function<Var<float>(Inputs)> f) const {
    const Index d = job_.d_model;
    return {{x_, random({4 * d, d}, 2), random({4 * d}, 3)},
            std::move(f),
            product_flops(rows_, 4 * d, d)};
  }
  // Of queries, keys and values, which are added up so that all have a gradient.
  OpRun projections() const {
    const Index d = job_.d_model;
    return {{x_, random({d, d}, 2), random({d, d}, 3), random({d, d}, 4), random({d}, 5)},
            [](Inputs in) {
              const AffineMap<float> q{in[1], in[4]}, k{in[2], in[4]}, v{in[3], in[4]};
              const auto y = packed_linear<float, 3>(in[0], {q, k, v});
              return add(add(y[0], y[1]), y[2]);
            },
            product_flops(rows_, 3 * d, d)};
  }
  OpRun scores() const {
    const Index head = job_.d_model / job_.heads;
    const Shape shape{job_.batch * job_.heads, job_.length, head};
    return {{random(shape, 2), random(shape, 3)},
            [](Inputs in) { return matmul(in[0], in[1], false, true); },
            product_flops(shape[0] * job_.length, job_.length, head)};
  }
  AttentionOptions causal_heads() const {
    AttentionOptions o;
    o.heads = o.kv_heads = job_.heads;
    o.mask = Mask::causal();
    return o;
  }
  // Two products over the pairs (i, j) with j <= i.
  double attention_flops() const {
    const Index pairs = job_.length * (job_.length + 1) / 2;
    return 2 * product_flops(job_.batch, pairs, job_.d_model);
  }
  OpRun attended() const {
    const Shape shape{job_.batch, job_.length, job_.d_model};
    return {{random(shape, 2), random(shape, 3), random(shape, 4)},
            [o = causal_heads()](Inputs in) { return attention(in[0], in[1], in[2], o); },
            attention_flops()};
  }
  // Its tanh, the most of its work, are not counted.
  OpRun additively_attended() const {
    const Shape shape{job_.batch, job_.length, job_.d_model};
    const Shape heads{job_.heads, job_.d_model / job_.heads};
    return {{random(shape, 2), random(shape, 3), random(shape, 4), random(heads, 5)},
            [o = causal_heads()](Inputs in) {
              return additive_attention(in[0], in[1], in[2], in[3], o);
            },
            attention_flops()};
  }
  OpRun rotated() const {
    const auto table = rope_table<float>(job_.length, job_.d_model / job_.heads);
    return {{random({job_.batch, job_.length, job_.d_model}, 2)},
            [table](Inputs in) { return rope(in[0], table); }};
  }
  OpRun reparametrised() const {
    return {{random({job_.d_model, job_.d_model}, 2), Tensor<float>::scalar(1)},
            [](Inputs in) { return sigma_reparam(in[0], in[1]); }};
  }
  OpRun convolved() const {
    constexpr Index kTaps = 3;
    const Index d = job_.d_model;
    return {{random({job_.batch, job_.length, d}, 2), random({d, d, kTaps}, 3)},
            [](Inputs in) { return conv1d(in[0], in[1], Conv1dOptions::causal(kTaps)); },
            product_flops(rows_, d, kTaps * d)};
  }
  static RecurrentWeights<float> weights_of(Inputs in) { return {in[2], in[3], in[4], in[5]}; }
  OpRun recurrent(Index gates, std::function<Var<float>(Inputs)> f) const {
    const Index d = job_.d_model;
    return {{random({job_.batch, job_.length, d}, 2), random({job_.batch, d}, 3),
             random({gates * d, d}, 4), random({gates * d, d}, 5), random({gates * d}, 6),
             random({gates * d}, 7)},
            std::move(f),
            2 * product_flops(rows_, gates * d, d)};
  }

  BenchJob job_;
  Index rows_;
  Tensor<float> x_;
};

double bytes_of(const std::vector<Tensor<float>>& tensors) {
  double numbers = 0;
  for (const auto& t : tensors) numbers += static_cast<double>(t.size());
  return numbers * sizeof(float);
}

OpBenchResult bench_op(Op op, const std::string& size, const OpRun& run,
                       const MachineCeilings& machine, double seconds) {
  Tape<float> tape;
  tape.context().threads = machine.threads;
  tape.context().training = true;
  const auto forward = [&] {
    tape.clear();
    std::vector<Var<float>> inputs;
    for (const auto& x : run.inputs) inputs.push_back(tape.leaf(x, true));
    return run.apply(inputs);
  };
  const Tensor<float> upstream = random(forward().shape(), 9);
  OpBenchResult r;
  r.op = op;
  r.size = size;
  r.forward_ms = time_calls(seconds / 2, forward).median_ms;
  r.both_ms = time_calls(seconds / 2, [&] { tape.backward(forward(), upstream); }).median_ms;
  std::vector<std::string> shapes;
  for (const auto& x : run.inputs) shapes.push_back(x.shape().str());
  r.shapes = fmt::format("{}", fmt::join(shapes, " "));
  r.bound_by_flops = run.flops > 0;
  const double in = bytes_of(run.inputs), out = bytes_of({upstream});
  const double amount = r.bound_by_flops ? run.flops : 3 * in + 2 * out;
  r.rate = amount / (r.both_ms * 1e6);
  const double numbers = 2 * (in + out);  // and their gradients
  r.ceiling_fraction = r.rate / (r.bound_by_flops ? machine.gflops : machine.copy_gb_s(numbers));
  return r;
}

}  // namespace

std::vector<OpBenchResult> bench_ops(const MachineCeilings& machine, double seconds_per_op) {
  std::vector<OpBenchResult> results;
  for (const char* size : {"toy", "nanogpt-cpu", "mid"}) {
    const OpRuns runs(find_bench_job(size));
    for (const Op op : kAllOps) {
      results.push_back(bench_op(op, size, runs.of(op), machine, seconds_per_op));
    }
  }
  return results;
}

}  // namespace tapehead
