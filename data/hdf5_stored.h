#pragma once

#include <string>
#include <vector>

#include "data/hdf5_handle.h"

namespace tapehead::hdf5 {

/// A dataset or an attribute that is open for reading.
class Stored {
 public:
  Stored(Handle object, bool is_attribute, const Action& action);

  const std::vector<Index>& shape() const { return shape_; }
  Index size() const;
  Hdf5Kind kind() const { return kind_; }
  std::string type_name() const;
  hid_t type() const { return type_.id(); }
  hid_t object() const { return object_.id(); }

  /// Reads as T; throws if a value does not fit into T.
  template <typename T>
  std::vector<T> numbers() const;
  std::vector<std::string> strings() const;

 private:
  void read(hid_t memory_type, void* out) const;
  template <typename Wide, typename T>
  std::vector<T> numbers_through(hid_t wide_type) const;
  std::vector<std::string> fixed_strings() const;
  std::vector<std::string> varying_strings() const;

  Handle object_;
  Handle type_;
  Handle space_;
  bool is_attribute_;
  Action action_;
  Hdf5Kind kind_;
  std::vector<Index> shape_;
};

}  // namespace tapehead::hdf5
