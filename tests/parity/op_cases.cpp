#include "tests/parity/op_cases.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/ops/add.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/concat.h"
#include "autograd/ops/conv1d.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/div.h"
#include "autograd/ops/embedding.h"
#include "autograd/ops/exp.h"
#include "autograd/ops/gelu.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/linear.h"
#include "autograd/ops/log.h"
#include "autograd/ops/log_softmax.h"
#include "autograd/ops/logsumexp.h"
#include "autograd/ops/masked_softmax.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/max.h"
#include "autograd/ops/mean.h"
#include "autograd/ops/mse_loss.h"
#include "autograd/ops/mul.h"
#include "autograd/ops/neg.h"
#include "autograd/ops/permute.h"
#include "autograd/ops/relu.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/rms_norm.h"
#include "autograd/ops/sigmoid.h"
#include "autograd/ops/silu.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/softplus.h"
#include "autograd/ops/sqrt.h"
#include "autograd/ops/square.h"
#include "autograd/ops/sub.h"
#include "autograd/ops/sum.h"
#include "autograd/ops/tanh.h"

namespace tapehead::parity {

namespace {

using V = Var<double>;

// The only output of most ops.
Outputs output(const V& y) { return {{"output", y}}; }

CaseFunction unary(V (*op)(const V&)) {
  return [op](CaseRun& run) { return output(op(run.input("x"))); };
}

CaseFunction binary(V (*op)(const V&, const V&)) {
  return [op](CaseRun& run) { return output(op(run.input("a"), run.input("b"))); };
}

int axis_of(const CaseRun& run) { return static_cast<int>(run.file().integer("dim", -1)); }

CaseFunction along_axis(V (*op)(const V&, int)) {
  return [op](CaseRun& run) { return output(op(run.input("x"), axis_of(run))); };
}

// A reduction over the axes of "dim" (all, if it is missing), one after the other.
CaseFunction reduction(V (*op)(const V&, int, bool)) {
  return [op](CaseRun& run) {
    V x = run.input("x");
    std::vector<int> axes;
    if (run.file().has_attribute("dim")) {
      for (const Index axis : run.file().integers("dim")) {
        axes.push_back(x.shape().normalized_axis("parity", static_cast<int>(axis)));
      }
    } else {
      for (int axis = 0; axis < x.rank(); ++axis) axes.push_back(axis);
    }
    std::sort(axes.rbegin(), axes.rend());  // from the back, so that the others stay in place
    for (const int axis : axes) x = op(x, axis, run.file().flag("keepdim", false));
    return output(x);
  };
}

Outputs run_gelu(CaseRun& run) {
  const std::string kind = run.file().text("approximate", "none");
  if (kind != "none" && kind != "tanh") {
    throw NotCovered(fmt::format("gelu with approximate = '{}'", kind));
  }
  return output(gelu(run.input("x"), kind == "tanh" ? GeluKind::tanh : GeluKind::exact));
}

Outputs run_linear(CaseRun& run) {
  const V x = run.input("x"), weight = run.input("weight");
  return output(run.file().has("inputs/bias") ? linear(x, weight, run.input("bias"))
                                              : linear(x, weight));
}

Outputs run_layer_norm(CaseRun& run) {
  const double eps = run.file().real("eps");
  const V x = run.input("x"), weight = run.input("weight");
  return output(run.file().has("inputs/bias") ? layer_norm(x, weight, run.input("bias"), eps)
                                              : layer_norm(x, weight, eps));
}

Outputs run_rms_norm(CaseRun& run) {
  return output(rms_norm(run.input("x"), run.input("weight"), run.file().real("eps")));
}

Outputs run_masked_softmax(CaseRun& run) {
  const std::string meaning = run.file().text("mask");
  if (meaning != "true = masked out") {
    throw NotCovered(fmt::format("masked_softmax with mask '{}'", meaning));
  }
  Tensor<std::uint8_t> may_attend = run.file().mask("inputs/mask");
  for (std::uint8_t& flag : may_attend.values()) flag = flag == 0 ? 1 : 0;
  return output(masked_softmax(run.input("x"), may_attend));
}

Outputs run_embedding(CaseRun& run) {
  return output(embedding(run.input("weight"), run.file().tokens("inputs/indices")));
}

Outputs run_cross_entropy(CaseRun& run) {
  CrossEntropyOptions options;
  options.ignore_index =
      static_cast<TokenId>(run.file().integer("ignore_index", options.ignore_index));
  options.label_smoothing = run.file().real("label_smoothing", 0);
  V logits = run.input("logits");
  // PyTorch has the classes in the second dimension: (batch, classes, time).
  if (logits.rank() == 3) logits = permute(logits, {0, 2, 1});
  if (logits.rank() > 3) throw NotCovered("cross_entropy of logits with more than 3 dimensions");
  return output(cross_entropy(logits, run.file().tokens("inputs/target"), options));
}

Outputs run_mse_loss(CaseRun& run) { return output(mse_loss(run.input("x"), run.input("target"))); }

Outputs run_permute(CaseRun& run) {
  std::vector<int> axes;
  for (const Index axis : run.file().integers("dims")) axes.push_back(static_cast<int>(axis));
  return output(permute(run.input("x"), std::span<const int>(axes)));
}

// PyTorch has the channels before the time.
Outputs run_conv1d(CaseRun& run) {
  const V x = permute(run.input("x"), {0, 2, 1}), weight = run.input("weight");
  Conv1dOptions options;
  options.dilation = run.file().integer("dilation", 1);
  options.left = options.right = run.file().integer("padding", 0);
  const V y = run.file().has("inputs/bias") ? conv1d(x, weight, run.input("bias"), options)
                                            : conv1d(x, weight, options);
  return output(permute(y, {0, 2, 1}));
}

Outputs run_concat(CaseRun& run) {
  std::vector<V> parts;
  for (const std::string& name : run.file().names("inputs")) parts.push_back(run.input(name));
  return output(concat(std::span<const V>(parts), axis_of(run)));
}

// (batch, heads, n, width) -> (batch, n, heads * width), which attention() takes.
V heads_inside(const V& x) {
  return reshape(permute(x, {0, 2, 1, 3}), {x.dim(0), x.dim(2), x.dim(1) * x.dim(3)});
}

Outputs run_attention(CaseRun& run) {
  const V q = run.input("q"), k = run.input("k"), v = run.input("v");
  if (q.rank() != 4) throw NotCovered("attention whose queries do not have 4 dimensions");
  AttentionOptions options;
  options.heads = q.dim(1);
  options.kv_heads = k.dim(1);
  if (run.file().flag("causal", false)) options.mask = Mask::causal_top_left();
  const auto result =
      attention_with_weights(heads_inside(q), heads_inside(k), heads_inside(v), options);
  const Shape split = {q.dim(0), q.dim(2), q.dim(1), v.dim(3)};
  return {{"output", permute(reshape(result.output, split), {0, 2, 1, 3})},
          {"weights", result.weights}};
}

CaseTable make_table() {
  return {
      {"add", binary(&add<double>)},
      {"concat", run_concat},
      {"conv1d", run_conv1d},
      {"cross_entropy", run_cross_entropy},
      {"div", binary(&div<double>)},
      {"embedding", run_embedding},
      {"exp", unary(&exp<double>)},
      {"gelu", run_gelu},
      {"layer_norm", run_layer_norm},
      {"linear", run_linear},
      {"log", unary(&log<double>)},
      {"log_softmax", along_axis(&log_softmax<double>)},
      {"logsumexp", reduction(&logsumexp<double>)},
      {"masked_softmax", run_masked_softmax},
      {"matmul", binary([](const V& a, const V& b) { return matmul(a, b); })},
      {"max", reduction(&max<double>)},
      {"mean", reduction(&mean<double>)},
      {"mse_loss", run_mse_loss},
      {"mul", binary(&mul<double>)},
      {"neg", unary(&neg<double>)},
      {"permute", run_permute},
      {"relu", unary(&relu<double>)},
      {"rms_norm", run_rms_norm},
      {"scaled_dot_product_attention", run_attention},
      {"sigmoid", unary(&sigmoid<double>)},
      {"silu", unary(&silu<double>)},
      {"softmax", along_axis(&softmax<double>)},
      {"softplus", unary(&softplus<double>)},
      {"sqrt", unary(&sqrt<double>)},
      {"square", unary(&square<double>)},
      {"sub", binary(&sub<double>)},
      {"sum", reduction(&sum<double>)},
      {"tanh", unary(&tanh<double>)},
  };
}

}  // namespace

const CaseTable& op_cases() {
  static const CaseTable table = make_table();
  return table;
}

}  // namespace tapehead::parity
