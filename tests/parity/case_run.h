#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/tape.h"
#include "tests/parity/comparison.h"
#include "tests/parity/parity_file.h"

namespace tapehead::parity {

/// What one run of an op or layer uses: the case, a tape, the inputs as leaves, and the parameters.
class CaseRun {
 public:
  explicit CaseRun(const ParityCase& parity_case) : case_(parity_case) {}

  const ParityCase& file() const { return case_; }
  Tape<double>& tape() { return tape_; }
  ParameterStore<double>& store() { return store_; }

  /// The input of that name as a leaf whose gradient is compared.
  Var<double> input(const std::string& name);

  /// Says that our parameter holds rows [first_row, ...) of the file's; call it before the forward
  /// pass, once for each parameter of the store.
  void link(std::string_view ours, std::string theirs, Index first_row = 0);
  /// Copies the file's parameters into the store. Throws IoError if sizes do not fit, and
  /// StateError if a parameter of the store has no link.
  void load_parameters();

  /// Runs backward from sum(upstream * output) and compares everything that the case expects.
  void compare(const std::map<std::string, Var<double>>& outputs, Comparison& result);

 private:
  struct Link {
    const Parameter<double>* ours;
    std::string theirs;
    Index first_row;
  };

  void backward(const std::map<std::string, Var<double>>& outputs);
  /// The gradient of an input or parameter; undefined if there is none of that name.
  Tensor<double> gradient(const std::string& name, const Shape& shape) const;

  const ParityCase& case_;
  Tape<double> tape_;
  ParameterStore<double> store_;
  Tensor<double> gradients_;  // of the store, once loaded
  std::vector<Link> links_;
  std::map<std::string, Var<double>> inputs_;
};

/// Computes the outputs of a case, by name.
using Outputs = std::map<std::string, Var<double>>;
using CaseFunction = std::function<Outputs(CaseRun&)>;
using CaseTable = std::map<std::string, CaseFunction, std::less<>>;

}  // namespace tapehead::parity
