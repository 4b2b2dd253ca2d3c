#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/tensor.h"
#include "base/error.h"
#include "data/hdf5_file.h"

namespace tapehead::parity {

/// The case cannot be run because this build has nothing of its kind; not a failure.
class NotCovered : public Error {
 public:
  using Error::Error;
};

/// One case of a parity file:
///
///     /<case>                   attributes: kind (op, layer or train), name, hyper-parameters
///         inputs/<name>         what goes in: numbers, token indices, or 0/1 masks
///         params/<name>         parameters of a layer
///         upstream/<name>       dL/d(output), L = sum over outputs of sum(upstream * output)
///         outputs/<name>        what must come out
///         grads/<name>          dL/d(input or parameter)
///
/// A case of kind "train" has tokens, params, outputs/losses, outputs/grad_norms and final/<name>
/// instead. Reading what is missing or of another type throws IoError.
class ParityCase {
 public:
  ParityCase(const Hdf5File& file, std::string group);

  const std::string& group() const { return group_; }
  const std::string& kind() const { return kind_; }
  /// Which op, layer or training run this is.
  const std::string& name() const { return name_; }

  bool has(std::string_view dataset) const;
  /// Names of the datasets inside a part ("grads", say); none if the part is missing.
  std::vector<std::string> names(std::string_view part) const;
  Tensor<double> numbers(std::string_view dataset) const;
  TokenTensor tokens(std::string_view dataset) const;
  Tensor<std::uint8_t> mask(std::string_view dataset) const;

  bool has_attribute(std::string_view name) const;
  double real(std::string_view name) const;
  double real(std::string_view name, double otherwise) const;
  Index integer(std::string_view name) const;
  Index integer(std::string_view name, Index otherwise) const;
  /// A truth value, stored as such or as 0 or 1.
  bool flag(std::string_view name, bool otherwise) const;
  std::string text(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  /// A list of integers; a single one counts as a list.
  std::vector<Index> integers(std::string_view name) const;

 private:
  template <typename T>
  Tensor<T> read(std::string_view dataset) const;
  std::string path(std::string_view dataset) const;

  const Hdf5File& file_;
  std::string group_, kind_, name_;
};

/// An HDF5 file of parity cases: attributes format = "parity" and version = 1 at the root, one
/// group a case.
class ParityFile {
 public:
  /// Throws IoError if the file cannot be read or is not of the format.
  explicit ParityFile(const std::filesystem::path& path);

  std::vector<ParityCase> cases() const;

 private:
  Hdf5File file_;
};

}  // namespace tapehead::parity
