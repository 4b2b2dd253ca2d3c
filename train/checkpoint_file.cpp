#include "train/checkpoint_file.h"

// Checkpoints as HDF5 files; checkpoint.h describes the format.

#include <fmt/format.h>

#include <type_traits>

#include "base/error.h"
#include "train/run_file.h"

namespace tapehead {

namespace {

constexpr const char* kFormat = "tapehead checkpoint";
constexpr Index kVersion = 1;

template <typename Scalar>
std::string precision() {
  return std::is_same_v<Scalar, float> ? "float32" : "float64";
}

template <typename Scalar>
void write_arrays(Hdf5File& file, const std::string& group, const NamedArrays<Scalar>& arrays) {
  file.create_group(group);
  for (const auto& [name, array] : arrays) {
    file.write<Scalar>(fmt::format("{}/{}", group, name), array.values, array.shape,
                       Hdf5Storage::kChecksummed);
  }
}

template <typename Scalar>
NamedArrays<Scalar> read_arrays(const Hdf5File& file, const std::string& group) {
  NamedArrays<Scalar> arrays;
  for (const std::string& name : file.names(group)) {
    arrays[name] = file.read<Scalar>(fmt::format("{}/{}", group, name));
  }
  return arrays;
}

template <typename Scalar>
void write(Hdf5File& file, const Checkpoint<Scalar>& checkpoint) {
  const CheckpointInfo& info = checkpoint.info;
  file.write_attribute("/", "precision", precision<Scalar>());
  file.write_attribute("/", "step", info.step);
  file.write_attribute("/", "seed", info.seed);
  file.write_attribute("/", "training_rows", info.training_rows);
  file.write_attribute("/", "validation_rows", info.validation_rows);
  file.write_attribute("/", "digest", info.digest);
  if (!info.data_digest.empty()) file.write_attribute("/", "data_digest", info.data_digest);
  file.write_string("config", info.config);
  if (!info.vocabulary.empty()) file.write_strings("vocabulary", info.vocabulary);
  write_arrays(file, "parameters", checkpoint.parameters);
  if (checkpoint.optimizer.empty()) return;
  file.create_group("optimizer");
  file.write_attribute("optimizer", "name", checkpoint.optimizer);
  file.write_attribute("optimizer", "steps", checkpoint.optimizer_steps);
  for (const auto& [name, arrays] : checkpoint.optimizer_state) {
    write_arrays(file, "optimizer/" + name, arrays);
  }
}

void check_precision(const Hdf5File& file, const std::string& expected) {
  const auto found = file.attribute_as<std::string>("/", "precision");
  if (found != expected) {
    throw IoError(
        fmt::format("{}: the numbers are {}, {} was asked for", file.path(), found, expected));
  }
}

template <typename Scalar>
Checkpoint<Scalar> read(const Hdf5File& file) {
  Checkpoint<Scalar> checkpoint;
  CheckpointInfo& info = checkpoint.info;
  info.step = file.attribute_as<Index>("/", "step");
  info.seed = file.attribute_as<Index>("/", "seed");
  info.training_rows = file.attribute_as<Index>("/", "training_rows");
  info.validation_rows = file.attribute_as<Index>("/", "validation_rows");
  info.digest = file.attribute_as<std::string>("/", "digest");
  if (file.has_attribute("/", "data_digest")) {
    info.data_digest = file.attribute_as<std::string>("/", "data_digest");
  }
  info.config = file.read_string("config");
  if (file.exists("vocabulary")) info.vocabulary = file.read_strings("vocabulary");
  checkpoint.parameters = read_arrays<Scalar>(file, "parameters");
  if (!file.exists("optimizer")) return checkpoint;
  checkpoint.optimizer = file.attribute_as<std::string>("optimizer", "name");
  checkpoint.optimizer_steps = file.attribute_as<Index>("optimizer", "steps");
  for (const std::string& name : file.names("optimizer")) {
    checkpoint.optimizer_state[name] = read_arrays<Scalar>(file, "optimizer/" + name);
  }
  return checkpoint;
}

}  // namespace

template <typename Scalar>
void save_checkpoint(const std::filesystem::path& path, const Checkpoint<Scalar>& checkpoint) {
  write_run_file(path, kFormat, kVersion,
                 [&checkpoint](Hdf5File& file) { write(file, checkpoint); });
}

template <typename Scalar>
Checkpoint<Scalar> load_checkpoint(const std::filesystem::path& path) {
  const Hdf5File file = open_run_file(path, kFormat, kVersion);
  check_precision(file, precision<Scalar>());
  return read<Scalar>(file);
}

template void save_checkpoint(const std::filesystem::path&, const Checkpoint<float>&);
template void save_checkpoint(const std::filesystem::path&, const Checkpoint<double>&);
template Checkpoint<float> load_checkpoint(const std::filesystem::path&);
template Checkpoint<double> load_checkpoint(const std::filesystem::path&);

}  // namespace tapehead
