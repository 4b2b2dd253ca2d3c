#include "data/hdf5_handle.h"

#include <cstdint>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace tapehead::hdf5 {
namespace {

herr_t keep_innermost(unsigned n, const H5E_error2_t* error, void* data) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(data) = error->desc;
  return 0;
}

// Where a call of the system failed, HDF5 hides its message among numbers and addresses.
std::string plain_reason(const std::string& reason) {
  constexpr std::string_view kBegin = "error message = '";
  const std::size_t mark = reason.find(kBegin);
  if (mark == std::string::npos) return reason;
  const std::size_t begin = mark + kBegin.size();
  return reason.substr(begin, reason.find('\'', begin) - begin);
}

}  // namespace

std::string last_reason() {
  std::string reason = "HDF5 gives no reason";
  // Upward: from the function that found the error to the one that was called.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  return plain_reason(reason);
}

void Action::fail(const std::string& why) const {
  throw IoError(fmt::format("{}: cannot {} '{}': {}", file, verb, path, why));
}

void Action::fail_with_hdf5_reason() const { fail(last_reason()); }

std::string absolute(std::string_view path) {
  return path.starts_with('/') ? std::string(path) : fmt::format("/{}", path);
}

bool object_exists(hid_t file, std::string_view path) {
  const std::string full = absolute(path);
  // HDF5 asks for one link at a time, so each group on the way is looked up first.
  for (std::size_t end = full.find('/', 1);; end = full.find('/', end + 1)) {
    const std::string part = full.substr(0, end);
    if (part != "/" && H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) break;
  }
  return full == "/" || H5Oexists_by_name(file, full.c_str(), H5P_DEFAULT) > 0;
}

Handle open_object(hid_t file, const Action& action) {
  if (!object_exists(file, action.path)) action.fail("there is no such group or dataset");
  Handle object(H5Oopen(file, absolute(action.path).c_str(), H5P_DEFAULT), H5Oclose);
  action.check(object.id());
  return object;
}

Handle open_dataset(hid_t file, const Action& action) {
  if (!object_exists(file, action.path)) action.fail("there is no such dataset");
  Handle object = open_object(file, action);
  if (H5Iget_type(object.id()) != H5I_DATASET) action.fail("it is a group; expected a dataset");
  return object;
}

Handle link_properties() {
  Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(properties.id(), 1);
  H5Pset_char_encoding(properties.id(), H5T_CSET_UTF8);
  return properties;
}

template <typename T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

template <typename T>
hid_t file_type() {
  if constexpr (std::is_same_v<T, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_STD_I32LE;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_STD_I64LE;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_STD_U8LE;
}

template hid_t memory_type<float>();
template hid_t memory_type<double>();
template hid_t memory_type<std::int32_t>();
template hid_t memory_type<std::int64_t>();
template hid_t memory_type<std::uint8_t>();
template hid_t file_type<float>();
template hid_t file_type<double>();
template hid_t file_type<std::int32_t>();
template hid_t file_type<std::int64_t>();
template hid_t file_type<std::uint8_t>();

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Handle bool_type() {
  Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  const std::int8_t no = 0;
  const std::int8_t yes = 1;
  H5Tenum_insert(type.id(), "FALSE", &no);
  H5Tenum_insert(type.id(), "TRUE", &yes);
  return type;
}

std::string shape_text(const std::vector<Index>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

std::string position_text(const std::vector<Index>& shape, Index i) {
  std::vector<Index> position(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    position[axis] = i % shape[axis];
    i /= shape[axis];
  }
  return shape_text(position);
}

}  // namespace tapehead::hdf5
