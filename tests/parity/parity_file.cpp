#include "tests/parity/parity_file.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead::parity {

namespace {
constexpr Index kVersion = 1;
}  // namespace

ParityCase::ParityCase(const Hdf5File& file, std::string group)
    : file_(file),
      group_(std::move(group)),
      kind_(file.attribute_as<std::string>(group_, "kind")),
      name_(file.attribute_as<std::string>(group_, "name")) {}

std::string ParityCase::path(std::string_view dataset) const {
  return fmt::format("{}/{}", group_, dataset);
}

bool ParityCase::has(std::string_view dataset) const { return file_.exists(path(dataset)); }

std::vector<std::string> ParityCase::names(std::string_view part) const {
  return has(part) ? file_.names(path(part)) : std::vector<std::string>();
}

template <typename T>
Tensor<T> ParityCase::read(std::string_view dataset) const {
  const Hdf5Array<T> array = file_.read<T>(path(dataset));
  return Tensor<T>(Shape(std::span<const Index>(array.shape)), std::span<const T>(array.values));
}

Tensor<double> ParityCase::numbers(std::string_view dataset) const { return read<double>(dataset); }

TokenTensor ParityCase::tokens(std::string_view dataset) const { return read<TokenId>(dataset); }

Tensor<std::uint8_t> ParityCase::mask(std::string_view dataset) const {
  return read<std::uint8_t>(dataset);
}

bool ParityCase::has_attribute(std::string_view name) const {
  return file_.has_attribute(group_, name);
}

double ParityCase::real(std::string_view name) const {
  return file_.attribute_as<double>(group_, name);
}

double ParityCase::real(std::string_view name, double otherwise) const {
  return has_attribute(name) ? real(name) : otherwise;
}

Index ParityCase::integer(std::string_view name) const {
  return file_.attribute_as<Index>(group_, name);
}

Index ParityCase::integer(std::string_view name, Index otherwise) const {
  return has_attribute(name) ? integer(name) : otherwise;
}

bool ParityCase::flag(std::string_view name, bool otherwise) const {
  return has_attribute(name) ? file_.attribute_as<bool>(group_, name) : otherwise;
}

std::string ParityCase::text(std::string_view name) const {
  return file_.attribute_as<std::string>(group_, name);
}

std::string ParityCase::text(std::string_view name, std::string_view otherwise) const {
  return has_attribute(name) ? text(name) : std::string(otherwise);
}

std::vector<Index> ParityCase::integers(std::string_view name) const {
  if (std::holds_alternative<Index>(file_.attribute(group_, name))) return {integer(name)};
  return file_.attribute_as<std::vector<Index>>(group_, name);
}

ParityFile::ParityFile(const std::filesystem::path& path) : file_(Hdf5File::open(path)) {
  if (!file_.has_attribute("", "format") ||
      file_.attribute_as<std::string>("", "format") != "parity") {
    throw IoError(fmt::format(
        "{}: not a file of parity cases; its attribute 'format' must be 'parity'", file_.path()));
  }
  const Index version = file_.attribute_as<Index>("", "version");
  if (version != kVersion) {
    throw IoError(fmt::format("{}: version {} of the parity format; this build reads version {}",
                              file_.path(), version, kVersion));
  }
}

std::vector<ParityCase> ParityFile::cases() const {
  std::vector<ParityCase> result;
  for (const std::string& name : file_.names("")) {
    if (!file_.is_group(name)) {
      throw IoError(
          fmt::format("{}: '{}' is no group; every case must be one", file_.path(), name));
    }
    result.emplace_back(file_, name);
  }
  return result;
}

}  // namespace tapehead::parity
