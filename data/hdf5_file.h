#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// Numbers of a dataset, in row-major order. A scalar has an empty shape and one value.
template <typename T>
struct Hdf5Array {
  std::vector<Index> shape;
  std::vector<T> values;
};

enum class Hdf5Kind { kInteger, kFloat, kBool, kString, kOther };

/// What a dataset holds, without its values.
struct Hdf5Info {
  Hdf5Kind kind = Hdf5Kind::kOther;
  Index element_bytes = 0;   ///< of one stored element; a pointer's for strings of varying length
  std::vector<Index> shape;  ///< empty for a scalar
  bool checksummed = false;  ///< stored with Fletcher32
  std::string type_name;     ///< for messages: "float64", "int32", "string", ...
};

/// The value of an attribute: a scalar or a list.
using Hdf5Value = std::variant<bool, Index, double, std::string, std::vector<Index>,
                               std::vector<double>, std::vector<std::string>>;

/// How a new dataset is stored.
enum class Hdf5Storage {
  kPlain,       ///< in one piece
  kChecksummed  ///< in chunks with a Fletcher32 sum each: damage is found on reading. Scalars and
                ///< datasets without elements cannot have chunks and are stored plain.
};

/// An open HDF5 file, closed by the destructor.
///
/// Objects are named by their path from the root: "params/embedding.weight"; "" and "/" are the
/// root. Writing makes the groups on the way. Names of a group and of attributes are listed in the
/// order of their bytes. What h5py writes can be read here and the other way round; files need HDF5
/// 1.8 or newer, and their metadata carry checksums.
///
/// Every failure is an IoError of the form "FILE: cannot ACTION 'PATH': why". HDF5's own printing
/// is switched off during each call and put back after it. The HDF5 library is not safe for
/// threads: use it from one thread at a time, whatever the file.
class Hdf5File {
 public:
  /// Opens an existing file for reading.
  static Hdf5File open(const std::filesystem::path& path);
  /// Opens an existing file for reading and writing.
  static Hdf5File open_to_change(const std::filesystem::path& path);
  /// Makes an empty file for writing; an existing one of that name is replaced.
  static Hdf5File create(const std::filesystem::path& path);

  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&& other) noexcept;
  ~Hdf5File();

  const std::string& path() const { return path_; }
  /// Hands everything written to the operating system.
  void flush();
  /// Closes the file and, unlike the destructor, reports a failure (a full disk, say). Nothing else
  /// may be called afterwards.
  void close();

  bool exists(std::string_view path) const;
  bool is_group(std::string_view path) const;
  bool is_dataset(std::string_view path) const;
  /// Names of the groups and datasets directly inside a group.
  std::vector<std::string> names(std::string_view group) const;
  /// Makes a group and those on the way; does nothing if it exists.
  void create_group(std::string_view path);

  Hdf5Info info(std::string_view dataset) const;

  // Numbers. T is float, double, std::int32_t, std::int64_t or std::uint8_t.

  /// Reads a dataset of any stored numeric type. A value that T cannot hold (outside its range, or
  /// with a fraction where T is an integer) is an error that names value and position.
  template <typename T>
  Hdf5Array<T> read(std::string_view dataset) const;
  /// The same into memory at hand. The stored shape must be `shape`, whose size is that of `out`.
  template <typename T>
  void read_into(std::string_view dataset, std::span<T> out, const std::vector<Index>& shape) const;
  /// Writes a new dataset; an existing one is an error.
  template <typename T>
  void write(std::string_view dataset, std::span<const T> values, const std::vector<Index>& shape,
             Hdf5Storage storage = Hdf5Storage::kPlain);

  // Datasets that grow by rows, with checksums.

  /// A new dataset of shape [0] (width 0) or [0, width].
  template <typename T>
  void create_rows(std::string_view dataset, Index width = 0);
  /// Appends one row or several: as many values as fill whole rows.
  template <typename T>
  void append(std::string_view dataset, std::span<const T> values);
  /// Keeps the first `rows` rows of a growing dataset.
  void truncate(std::string_view dataset, Index rows);

  // Strings, in UTF-8, of any length.

  std::string read_string(std::string_view dataset) const;
  std::vector<std::string> read_strings(std::string_view dataset) const;
  void write_string(std::string_view dataset, std::string_view text);
  void write_strings(std::string_view dataset, const std::vector<std::string>& texts);

  // Attributes of the group or dataset at `path`.

  bool has_attribute(std::string_view path, std::string_view name) const;
  std::vector<std::string> attribute_names(std::string_view path) const;
  /// Reads an attribute of whatever type: scalars and one-dimensional lists.
  Hdf5Value attribute(std::string_view path, std::string_view name) const;
  /// Reads an attribute as T, one of the types in Hdf5Value. An integer is accepted as a double,
  /// 0 and 1 as bools, a list of integers as a list of doubles; everything else that is not a T is
  /// an error.
  template <typename T>
  T attribute_as(std::string_view path, std::string_view name) const;
  /// Writes an attribute, or replaces it.
  void write_attribute(std::string_view path, std::string_view name, const Hdf5Value& value);

 private:
  Hdf5File(std::string path, std::int64_t handle) : path_(std::move(path)), handle_(handle) {}

  std::string path_;
  std::int64_t handle_;  // HDF5's hid_t; negative when closed or moved from
};

}  // namespace tapehead
