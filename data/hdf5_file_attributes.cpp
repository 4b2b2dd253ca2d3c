#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "data/hdf5_file.h"
#include "data/hdf5_handle.h"
#include "data/hdf5_stored.h"

namespace tapehead {
namespace {

using hdf5::Action;
using hdf5::Handle;
using hdf5::QuietErrors;
using hdf5::Stored;

/// "PATH@NAME", the name of an attribute in messages.
std::string attribute_path(std::string_view path, std::string_view name) {
  return fmt::format("{}@{}", path, name);
}

Hdf5Value read_scalar(const Stored& stored, const Action& action) {
  switch (stored.kind()) {
    case Hdf5Kind::kBool:
      return stored.numbers<std::uint8_t>().front() != 0;
    case Hdf5Kind::kInteger:
      return stored.numbers<Index>().front();
    case Hdf5Kind::kFloat:
      return stored.numbers<double>().front();
    case Hdf5Kind::kString:
      return stored.strings().front();
    case Hdf5Kind::kOther:
      break;
  }
  action.fail(fmt::format("it holds {}; expected numbers or strings", stored.type_name()));
}

Hdf5Value read_list(const Stored& stored, const Action& action) {
  switch (stored.kind()) {
    case Hdf5Kind::kBool:
    case Hdf5Kind::kInteger:
      return stored.numbers<Index>();
    case Hdf5Kind::kFloat:
      return stored.numbers<double>();
    case Hdf5Kind::kString:
      return stored.strings();
    case Hdf5Kind::kOther:
      break;
  }
  action.fail(fmt::format("it holds {}; expected numbers or strings", stored.type_name()));
}

/// The types of a value in the file and in memory, its shape and its bytes.
class ValueBytes {
 public:
  ValueBytes(const Hdf5Value& value, const Action& action) {
    std::visit([&](const auto& v) { set(v, action); }, value);
    const hsize_t n = count_;
    space_ = Handle(is_list_ ? H5Screate_simple(1, &n, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
  }

  hid_t file_type() const { return owned_type_.valid() ? owned_type_.id() : file_type_; }
  hid_t memory_type() const { return owned_type_.valid() ? owned_type_.id() : memory_type_; }
  hid_t space() const { return space_.id(); }
  const void* data() const { return data_; }
  bool empty() const { return count_ == 0; }

 private:
  void set(const bool& value, const Action&) {
    owned_type_ = hdf5::bool_type();
    bool_ = value ? 1 : 0;
    data_ = &bool_;
  }
  void set(const Index& value, const Action&) { set_numbers(&value, 1, false); }
  void set(const double& value, const Action&) { set_numbers(&value, 1, false); }
  void set(const std::vector<Index>& v, const Action&) { set_numbers(v.data(), v.size(), true); }
  void set(const std::vector<double>& v, const Action&) { set_numbers(v.data(), v.size(), true); }
  void set(const std::string& value, const Action& action) {
    set_texts({&value, 1}, action, false);
  }
  void set(const std::vector<std::string>& v, const Action& action) { set_texts(v, action, true); }

  template <typename T>
  void set_numbers(const T* values, std::size_t count, bool is_list) {
    file_type_ = hdf5::file_type<T>();
    memory_type_ = hdf5::memory_type<T>();
    data_ = values;
    count_ = count;
    is_list_ = is_list;
  }

  void set_texts(std::span<const std::string> texts, const Action& action, bool is_list) {
    owned_type_ = hdf5::string_type();
    for (const auto& text : texts) {
      if (text.find('\0') != std::string::npos) {
        action.fail("a string with a zero byte cannot be stored");
      }
      pointers_.push_back(text.c_str());
    }
    data_ = pointers_.data();
    count_ = texts.size();
    is_list_ = is_list;
  }

  Handle owned_type_;  // when the type is not one of HDF5's own
  hid_t file_type_ = -1;
  hid_t memory_type_ = -1;
  Handle space_;
  std::int8_t bool_ = 0;
  std::vector<const char*> pointers_;
  const void* data_ = nullptr;
  std::size_t count_ = 1;
  bool is_list_ = false;
};

/// The value as T where that loses nothing; the others are refused by the caller.
template <typename T>
std::optional<T> converted(const Hdf5Value& value) {
  if (const T* same = std::get_if<T>(&value)) return *same;
  if constexpr (std::is_same_v<T, double>) {
    if (const Index* n = std::get_if<Index>(&value)) return static_cast<double>(*n);
  }
  if constexpr (std::is_same_v<T, bool>) {
    const Index* n = std::get_if<Index>(&value);
    if (n != nullptr && (*n == 0 || *n == 1)) return *n == 1;
  }
  if constexpr (std::is_same_v<T, std::vector<double>>) {
    if (const auto* list = std::get_if<std::vector<Index>>(&value)) {
      return std::vector<double>(list->begin(), list->end());
    }
  }
  return std::nullopt;
}

/// In the order of Hdf5Value's alternatives.
constexpr const char* kValueNames[] = {
    "a bool",           "an integer",         "a number",
    "a string",         "a list of integers", "a list of numbers",
    "a list of strings"};

herr_t add_attribute_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

bool Hdf5File::has_attribute(std::string_view path, std::string_view name) const {
  const QuietErrors quiet;
  if (!hdf5::object_exists(handle_, path)) return false;
  const Handle object = hdf5::open_object(handle_, {path_, "look at", path});
  return H5Aexists(object.id(), std::string(name).c_str()) > 0;
}

std::vector<std::string> Hdf5File::attribute_names(std::string_view path) const {
  const QuietErrors quiet;
  const Action action{path_, "list attributes of", path};
  const Handle object = hdf5::open_object(handle_, action);
  std::vector<std::string> names;
  hsize_t next = 0;
  action.check(
      H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_INC, &next, add_attribute_name, &names));
  return names;
}

Hdf5Value Hdf5File::attribute(std::string_view path, std::string_view name) const {
  const QuietErrors quiet;
  const std::string label = attribute_path(path, name);
  const Action action{path_, "read attribute", label};
  const Handle object = hdf5::open_object(handle_, {path_, "read attributes of", path});
  const std::string text(name);
  if (H5Aexists(object.id(), text.c_str()) <= 0) action.fail("there is no such attribute");
  Handle attribute(H5Aopen(object.id(), text.c_str(), H5P_DEFAULT), H5Aclose);
  action.check(attribute.id());
  const Stored stored(std::move(attribute), true, action);
  if (stored.shape().size() > 1) {
    action.fail(fmt::format("its shape is {}; expected a scalar or a list",
                            hdf5::shape_text(stored.shape())));
  }
  return stored.shape().empty() ? read_scalar(stored, action) : read_list(stored, action);
}

template <typename T>
T Hdf5File::attribute_as(std::string_view path, std::string_view name) const {
  const Hdf5Value value = attribute(path, name);
  if (auto as_asked = converted<T>(value)) return *std::move(as_asked);
  const std::string label = attribute_path(path, name);
  const Action action{path_, "read attribute", label};
  action.fail(fmt::format("it is {}; expected {}", kValueNames[value.index()],
                          kValueNames[Hdf5Value(T{}).index()]));
}

void Hdf5File::write_attribute(std::string_view path, std::string_view name,
                               const Hdf5Value& value) {
  const QuietErrors quiet;
  const std::string label = attribute_path(path, name);
  const Action action{path_, "write attribute", label};
  const Handle object = hdf5::open_object(handle_, {path_, "write attributes of", path});
  const std::string text(name);
  const ValueBytes bytes(value, action);
  if (H5Aexists(object.id(), text.c_str()) > 0) action.check(H5Adelete(object.id(), text.c_str()));
  const Handle properties(H5Pcreate(H5P_ATTRIBUTE_CREATE), H5Pclose);
  H5Pset_char_encoding(properties.id(), H5T_CSET_UTF8);
  const Handle attribute(H5Acreate2(object.id(), text.c_str(), bytes.file_type(), bytes.space(),
                                    properties.id(), H5P_DEFAULT),
                         H5Aclose);
  action.check(attribute.id());
  if (!bytes.empty()) {
    action.check(H5Awrite(attribute.id(), bytes.memory_type(), bytes.data()));
  }
}

template bool Hdf5File::attribute_as(std::string_view, std::string_view) const;
template Index Hdf5File::attribute_as(std::string_view, std::string_view) const;
template double Hdf5File::attribute_as(std::string_view, std::string_view) const;
template std::string Hdf5File::attribute_as(std::string_view, std::string_view) const;
template std::vector<Index> Hdf5File::attribute_as(std::string_view, std::string_view) const;
template std::vector<double> Hdf5File::attribute_as(std::string_view, std::string_view) const;
template std::vector<std::string> Hdf5File::attribute_as(std::string_view, std::string_view) const;

}  // namespace tapehead
