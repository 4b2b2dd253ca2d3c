#include "tests/parity/case_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/check.h"
#include "base/error.h"

namespace tapehead::parity {

Var<double> CaseRun::input(const std::string& name) {
  const auto known = inputs_.find(name);
  if (known != inputs_.end()) return known->second;
  return inputs_[name] = tape_.leaf(case_.numbers("inputs/" + name), true);
}

void CaseRun::link(std::string_view ours, std::string theirs, Index first_row) {
  links_.push_back({&store_.find(ours), std::move(theirs), first_row});
}

void CaseRun::load_parameters() {
  if (links_.size() != store_.parameters().size()) {
    throw StateError(fmt::format("parity: {} of the layer's {} parameters are linked",
                                 links_.size(), store_.parameters().size()));
  }
  for (const Link& link : links_) {
    const Tensor<double> theirs = case_.numbers("params/" + link.theirs);
    Tensor<double> ours = link.ours->value();
    const Index rows = ours.shape()[0];
    if (theirs.rank() != ours.rank() || theirs.shape().with_dim(0, rows) != ours.shape() ||
        theirs.shape()[0] < link.first_row + rows) {
      throw IoError(fmt::format("{}: parameter {} has shape {}; {} from row {} on is needed",
                                case_.group(), link.theirs, theirs.shape().str(),
                                ours.shape().str(), link.first_row));
    }
    std::copy_n(theirs.data() + link.first_row * (ours.size() / rows), ours.size(), ours.data());
  }
  gradients_ = store_.make_buffer();
  tape_.bind_gradients(store_, gradients_);
}

void CaseRun::backward(const Outputs& outputs) {
  double loss = 0;
  std::vector<Var<double>> vars;
  std::vector<Tensor<double>> upstream;
  for (const auto& [name, output] : outputs) {
    if (!case_.has("upstream/" + name)) continue;
    upstream.push_back(case_.numbers("upstream/" + name));
    check_same_shape("parity", "upstream", upstream.back().shape(), "output", output.shape());
    vars.push_back(output);
    for (Index i = 0; i < output.value().size(); ++i)
      loss += upstream.back()[i] * output.value()[i];
  }
  // The weighted sum over all outputs, as a node of its own.
  const Var<double> root =
      tape_.record(Op::custom, Tensor<double>::scalar(loss), std::span<const Var<double>>(vars),
                   [vars, upstream](Tape<double>& t, const Tensor<double>&, const Tensor<double>&) {
                     for (std::size_t i = 0; i < vars.size(); ++i) t.add_grad(vars[i], upstream[i]);
                   });
  tape_.backward(root);
}

Tensor<double> CaseRun::gradient(const std::string& name, const Shape& shape) const {
  const auto known = inputs_.find(name);
  if (known != inputs_.end()) return known->second.grad();
  Tensor<double> gathered;
  for (const Link& link : links_) {
    if (link.theirs != name) continue;
    if (!gathered.defined()) gathered = Tensor<double>(shape);
    const Tensor<double> part = store_.part(gradients_, *link.ours);
    std::copy_n(part.data(), part.size(),
                gathered.data() + link.first_row * (part.size() / part.shape()[0]));
  }
  return gathered;
}

void CaseRun::compare(const Outputs& outputs, Comparison& result) {
  for (const std::string& name : case_.names("outputs")) {
    const auto output = outputs.find(name);
    if (output == outputs.end()) {
      result.fail(fmt::format("no output '{}' was computed", name));
    } else {
      result.compare("output " + name, output->second.value(), case_.numbers("outputs/" + name));
    }
  }
  const std::vector<std::string> expected = case_.names("grads");
  if (expected.empty() || !result.failure().empty()) return;
  backward(outputs);
  for (const std::string& name : expected) {
    const Tensor<double> theirs = case_.numbers("grads/" + name);
    const Tensor<double> ours = gradient(name, theirs.shape());
    if (!ours.defined()) {
      result.fail(fmt::format("no gradient of '{}' was computed", name));
    } else {
      result.compare("gradient of " + name, ours, theirs);
    }
  }
}

}  // namespace tapehead::parity
