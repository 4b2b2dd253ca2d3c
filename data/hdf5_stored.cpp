#include "data/hdf5_stored.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace tapehead::hdf5 {
namespace {

bool is_bool(hid_t type) {
  if (H5Tget_nmembers(type) != 2) return false;
  std::int64_t value = 0;  // read in the width of the type; both members are tested by name
  return H5Tenum_valueof(type, "FALSE", &value) >= 0 && H5Tenum_valueof(type, "TRUE", &value) >= 0;
}

Hdf5Kind kind_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return Hdf5Kind::kInteger;
    case H5T_FLOAT:
      return Hdf5Kind::kFloat;
    case H5T_ENUM:
      return is_bool(type) ? Hdf5Kind::kBool : Hdf5Kind::kOther;
    case H5T_STRING:
      return Hdf5Kind::kString;
    default:
      return Hdf5Kind::kOther;
  }
}

bool is_unsigned(hid_t type) { return H5Tget_sign(type) == H5T_SGN_NONE; }

/// Whether T holds `value` without losing more than rounding of a floating-point number.
template <typename T, typename Wide>
bool fits(Wide value) {
  if constexpr (std::is_floating_point_v<T>) {
    return !std::isfinite(static_cast<double>(value)) || std::isfinite(static_cast<T>(value));
  } else if constexpr (std::is_floating_point_v<Wide>) {
    // 2^digits is the first value above the range, and exact; a NaN fails both comparisons.
    const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double lowest = static_cast<double>(std::numeric_limits<T>::min());
    return value >= lowest && value < above && std::trunc(value) == value;
  } else {
    return std::in_range<T>(value);
  }
}

template <typename T>
std::string range_text() {
  if constexpr (std::is_floating_point_v<T>) {
    return fmt::format("a number of magnitude up to {:.9g}", std::numeric_limits<T>::max());
  } else {
    return fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::max());
  }
}

}  // namespace

Stored::Stored(Handle object, bool is_attribute, const Action& action)
    : object_(std::move(object)), is_attribute_(is_attribute), action_(action) {
  type_ = Handle(is_attribute ? H5Aget_type(object_.id()) : H5Dget_type(object_.id()), H5Tclose);
  action_.check(type_.id());
  space_ = Handle(is_attribute ? H5Aget_space(object_.id()) : H5Dget_space(object_.id()), H5Sclose);
  action_.check(space_.id());
  kind_ = kind_of(type_.id());
  if (H5Sget_simple_extent_type(space_.id()) == H5S_NULL) action_.fail("it holds no value");
  const int rank = H5Sget_simple_extent_ndims(space_.id());
  action_.check(rank);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  action_.check(H5Sget_simple_extent_dims(space_.id(), sizes.data(), nullptr));
  shape_.assign(sizes.begin(), sizes.end());
}

Index Stored::size() const {
  Index n = 1;
  for (const Index d : shape_) n *= d;
  return n;
}

std::string Stored::type_name() const {
  const std::size_t bits = 8 * H5Tget_size(type_.id());
  switch (kind_) {
    case Hdf5Kind::kInteger:
      return fmt::format("{}int{}", is_unsigned(type_.id()) ? "u" : "", bits);
    case Hdf5Kind::kFloat:
      return fmt::format("float{}", bits);
    case Hdf5Kind::kBool:
      return "bool";
    case Hdf5Kind::kString:
      return "string";
    case Hdf5Kind::kOther:
      break;
  }
  return "a compound or other special type";
}

void Stored::read(hid_t memory_type, void* out) const {
  const herr_t status =
      is_attribute_ ? H5Aread(object_.id(), memory_type, out)
                    : H5Dread(object_.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  action_.check(status);
}

template <typename Wide, typename T>
std::vector<T> Stored::numbers_through(hid_t wide_type) const {
  std::vector<Wide> wide(static_cast<std::size_t>(size()));
  if (!wide.empty()) read(wide_type, wide.data());
  std::vector<T> values(wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (!fits<T>(wide[i])) {
      action_.fail(fmt::format("the value at {} is {}; expected {}",
                               position_text(shape_, static_cast<Index>(i)), wide[i],
                               range_text<T>()));
    }
    values[i] = static_cast<T>(wide[i]);
  }
  return values;
}

template <typename T>
std::vector<T> Stored::numbers() const {
  if (H5Tequal(type_.id(), file_type<T>()) > 0) {
    std::vector<T> values(static_cast<std::size_t>(size()));
    if (!values.empty()) read(memory_type<T>(), values.data());
    return values;
  }
  switch (kind_) {
    case Hdf5Kind::kFloat:
      return numbers_through<double, T>(H5T_NATIVE_DOUBLE);
    case Hdf5Kind::kInteger:
      if (is_unsigned(type_.id())) return numbers_through<std::uint64_t, T>(H5T_NATIVE_UINT64);
      return numbers_through<std::int64_t, T>(H5T_NATIVE_INT64);
    case Hdf5Kind::kBool: {
      // HDF5 converts an enumeration only into its own members.
      const Handle memory = bool_type();
      std::vector<std::int8_t> values(static_cast<std::size_t>(size()));
      if (!values.empty()) read(memory.id(), values.data());
      return {values.begin(), values.end()};
    }
    case Hdf5Kind::kString:
    case Hdf5Kind::kOther:
      break;
  }
  action_.fail(fmt::format("it holds {}; expected numbers", type_name()));
}

std::vector<std::string> Stored::strings() const {
  if (kind_ != Hdf5Kind::kString) {
    action_.fail(fmt::format("it holds {}; expected strings", type_name()));
  }
  if (size() == 0) return {};
  return H5Tis_variable_str(type_.id()) > 0 ? varying_strings() : fixed_strings();
}

std::vector<std::string> Stored::varying_strings() const {
  std::vector<char*> pointers(static_cast<std::size_t>(size()), nullptr);
  read(type_.id(), pointers.data());
  std::vector<std::string> texts;
  texts.reserve(pointers.size());
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type_.id(), space_.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

std::vector<std::string> Stored::fixed_strings() const {
  const std::size_t width = H5Tget_size(type_.id());
  std::vector<char> bytes(width * static_cast<std::size_t>(size()));
  read(type_.id(), bytes.data());
  const bool space_padded = H5Tget_strpad(type_.id()) == H5T_STR_SPACEPAD;
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < bytes.size(); begin += width) {
    std::string text(bytes.data() + begin, strnlen(bytes.data() + begin, width));
    if (space_padded) text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

template std::vector<float> Stored::numbers() const;
template std::vector<double> Stored::numbers() const;
template std::vector<std::int32_t> Stored::numbers() const;
template std::vector<std::int64_t> Stored::numbers() const;
template std::vector<std::uint8_t> Stored::numbers() const;

}  // namespace tapehead::hdf5
