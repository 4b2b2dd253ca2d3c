#include "data/hdf5_file.h"

#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "data/hdf5_handle.h"

namespace tapehead {

static_assert(sizeof(hid_t) == sizeof(std::int64_t), "the header stores HDF5's handle as int64");

namespace {

using hdf5::Action;
using hdf5::Handle;
using hdf5::QuietErrors;

[[noreturn]] void fail(const std::string& file, const char* verb, const std::string& why) {
  throw IoError(fmt::format("{}: cannot {}: {}", file, verb, why));
}

/// HDF5's own words for these are obscure.
void check_openable(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    fail(path.string(), "open", "there is no such file");
  }
  if (std::filesystem::is_directory(status)) {
    fail(path.string(), "open", "it is a directory; expected an HDF5 file");
  }
  const htri_t is_hdf5 = H5Fis_hdf5(path.c_str());
  if (is_hdf5 < 0) fail(path.string(), "open", hdf5::last_reason());
  if (is_hdf5 == 0) {
    fail(path.string(), "open", "it is not an HDF5 file, or its beginning is damaged");
  }
}

/// Metadata with checksums, readable since HDF5 1.8.
Handle access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(properties.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  return properties;
}

std::int64_t open_handle(const std::filesystem::path& path, unsigned flags) {
  const QuietErrors quiet;
  check_openable(path);
  const Handle properties = access_properties();
  const hid_t file = H5Fopen(path.c_str(), flags, properties.id());
  if (file < 0) fail(path.string(), "open", hdf5::last_reason());
  return file;
}

void check_creatable(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    fail(path.string(), "create", "it is a directory");
  }
  const auto folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
    fail(path.string(), "create", fmt::format("there is no folder '{}'", folder.string()));
  }
}

bool has_type(hid_t file, const Action& action, H5I_type_t type) {
  if (!hdf5::object_exists(file, action.path)) return false;
  return H5Iget_type(hdf5::open_object(file, action).id()) == type;
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  return {path.string(), open_handle(path, H5F_ACC_RDONLY)};
}

Hdf5File Hdf5File::open_to_change(const std::filesystem::path& path) {
  return {path.string(), open_handle(path, H5F_ACC_RDWR)};
}

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  const QuietErrors quiet;
  check_creatable(path);
  const Handle properties = access_properties();
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.id());
  if (file < 0) fail(path.string(), "create", hdf5::last_reason());
  return {path.string(), file};
}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, -1)) {}

Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(handle_, other.handle_);
  return *this;
}

Hdf5File::~Hdf5File() {
  if (handle_ < 0) return;
  const QuietErrors quiet;
  H5Fclose(handle_);
}

void Hdf5File::flush() {
  const QuietErrors quiet;
  if (H5Fflush(handle_, H5F_SCOPE_LOCAL) < 0) fail(path_, "flush", hdf5::last_reason());
}

void Hdf5File::close() {
  const QuietErrors quiet;
  if (H5Fclose(std::exchange(handle_, -1)) < 0) fail(path_, "close", hdf5::last_reason());
}

bool Hdf5File::exists(std::string_view path) const {
  const QuietErrors quiet;
  return hdf5::object_exists(handle_, path);
}

bool Hdf5File::is_group(std::string_view path) const {
  const QuietErrors quiet;
  return has_type(handle_, {path_, "look up", path}, H5I_GROUP);
}

bool Hdf5File::is_dataset(std::string_view path) const {
  const QuietErrors quiet;
  return has_type(handle_, {path_, "look up", path}, H5I_DATASET);
}

std::vector<std::string> Hdf5File::names(std::string_view group) const {
  const QuietErrors quiet;
  const Action action{path_, "list group", group};
  const Handle object = hdf5::open_object(handle_, action);
  if (H5Iget_type(object.id()) != H5I_GROUP) action.fail("it is a dataset; expected a group");
  std::vector<std::string> names;
  hsize_t next = 0;
  action.check(H5Literate(object.id(), H5_INDEX_NAME, H5_ITER_INC, &next, add_name, &names));
  return names;
}

void Hdf5File::create_group(std::string_view path) {
  if (is_group(path)) return;
  const QuietErrors quiet;
  const Action action{path_, "create group", path};
  if (hdf5::object_exists(handle_, path)) action.fail("there is a dataset of that name");
  const Handle link = hdf5::link_properties();
  const Handle group(
      H5Gcreate2(handle_, hdf5::absolute(path).c_str(), link.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Gclose);
  action.check(group.id());
}

}  // namespace tapehead
