#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "data/hdf5_file.h"

// What the sources of Hdf5File share. Only they include this header, and with it HDF5.
namespace tapehead::hdf5 {

/// Switches HDF5's printing of errors off for the life of the object. The first one also switches
/// off what HDF5 does at exit: it would close a file again that could not be closed, and crash.
class QuietErrors {
 public:
  QuietErrors() {
    [[maybe_unused]] static const herr_t kNoWorkAtExit = H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// An HDF5 identifier with the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// What is being done to which object, for error messages.
struct Action {
  const std::string& file;
  const char* verb;       ///< "read dataset"
  std::string_view path;  ///< of the object inside the file

  /// Throws IoError "FILE: cannot VERB 'PATH': WHY".
  [[noreturn]] void fail(const std::string& why) const;
  /// The same with the reason that HDF5 gives for its last failing call.
  [[noreturn]] void fail_with_hdf5_reason() const;
  /// Throws unless `status` is that of a success. Call it before a handle is closed: closing wipes
  /// out HDF5's reason.
  void check(hid_t status) const {
    if (status < 0) fail_with_hdf5_reason();
  }
};

/// The innermost message on HDF5's error stack.
std::string last_reason();

/// `path` as HDF5 takes it: "/" for the root.
std::string absolute(std::string_view path);
/// Whether there is an object at `path`.
bool object_exists(hid_t file, std::string_view path);
/// Opens the object at `path` (the root too).
Handle open_object(hid_t file, const Action& action);
Handle open_dataset(hid_t file, const Action& action);
/// Properties of a new link: makes the groups on the way, name in UTF-8.
Handle link_properties();

/// The type of T in memory.
template <typename T>
hid_t memory_type();
/// The type of T in a file: the same bytes on every machine.
template <typename T>
hid_t file_type();
/// UTF-8 strings of varying length.
Handle string_type();
/// The type that h5py uses for bool.
Handle bool_type();

std::string shape_text(const std::vector<Index>& shape);
/// The position of flat element `i` of an array: "(1, 2, 0)".
std::string position_text(const std::vector<Index>& shape, Index i);

}  // namespace tapehead::hdf5
