#include <algorithm>
#include <limits>

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

/// Large enough to make a chunk's own costs small, small enough for HDF5's chunk cache.
constexpr hsize_t kChunkBytes = 512 * 1024;
/// Rows in a chunk of a dataset that grows.
constexpr hsize_t kGrowingChunkValues = 1024;

std::vector<hsize_t> to_hsize(const std::vector<Index>& shape) {
  return {shape.begin(), shape.end()};
}

Handle make_space(const std::vector<Index>& shape) {
  const auto sizes = to_hsize(shape);
  if (sizes.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose};
}

/// Properties of a new dataset: no time stamp, so that equal contents are equal bytes.
Handle dataset_properties() {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(properties.id(), false);
  return properties;
}

void add_checksums(hid_t properties, const std::vector<hsize_t>& chunk) {
  H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
  H5Pset_fletcher32(properties);
}

/// The whole shape, cut from the outermost dimension inwards until a chunk is small enough.
std::vector<hsize_t> chunk_shape(const std::vector<Index>& shape, std::size_t element_bytes) {
  auto chunk = to_hsize(shape);
  hsize_t bytes = element_bytes;
  for (const hsize_t size : chunk) bytes *= size;
  for (hsize_t& size : chunk) {
    const hsize_t below = bytes / size;  // bytes of one entry of this dimension
    size = std::clamp<hsize_t>(kChunkBytes / below, 1, size);
    bytes = below * size;
  }
  return chunk;
}

Handle create_dataset(hid_t file, const Action& action, hid_t type, hid_t space, hid_t properties) {
  if (hdf5::object_exists(file, action.path)) action.fail("the name is taken");
  const Handle link = hdf5::link_properties();
  Handle dataset(H5Dcreate2(file, hdf5::absolute(action.path).c_str(), type, space, link.id(),
                            properties, H5P_DEFAULT),
                 H5Dclose);
  action.check(dataset.id());
  return dataset;
}

bool is_checksummed(hid_t dataset) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  for (int i = 0; i < H5Pget_nfilters(properties.id()); ++i) {
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t parameters = 0;
    if (H5Pget_filter2(properties.id(), static_cast<unsigned>(i), &flags, &parameters, nullptr, 0,
                       nullptr, &config) == H5Z_FILTER_FLETCHER32) {
      return true;
    }
  }
  return false;
}

Stored open_stored(hid_t file, const Action& action) {
  return {hdf5::open_dataset(file, action), false, action};
}

Index element_count(const Action& action, const std::vector<Index>& shape) {
  Index n = 1;
  for (const Index size : shape) {
    if (size < 0) action.fail(fmt::format("shape {} is negative", hdf5::shape_text(shape)));
    n *= size;
  }
  return n;
}

/// The sizes of a dataset made by create_rows.
std::vector<hsize_t> growing_sizes(const Action& action, const Stored& stored) {
  const auto sizes = to_hsize(stored.shape());
  const Handle space(H5Dget_space(stored.object()), H5Sclose);
  std::vector<hsize_t> limits(sizes.size());
  H5Sget_simple_extent_dims(space.id(), nullptr, limits.data());
  if (sizes.empty() || sizes.size() > 2 || limits[0] != H5S_UNLIMITED) {
    action.fail(fmt::format("its shape {} is fixed; expected rows that grow",
                            hdf5::shape_text(stored.shape())));
  }
  return sizes;
}

}  // namespace

Hdf5Info Hdf5File::info(std::string_view dataset) const {
  const QuietErrors quiet;
  const Stored stored = open_stored(handle_, {path_, "look at dataset", dataset});
  return {stored.kind(), static_cast<Index>(H5Tget_size(stored.type())), stored.shape(),
          is_checksummed(stored.object()), stored.type_name()};
}

template <typename T>
Hdf5Array<T> Hdf5File::read(std::string_view dataset) const {
  const QuietErrors quiet;
  const Stored stored = open_stored(handle_, {path_, "read dataset", dataset});
  return {stored.shape(), stored.numbers<T>()};
}

template <typename T>
void Hdf5File::read_into(std::string_view dataset, std::span<T> out,
                         const std::vector<Index>& shape) const {
  const QuietErrors quiet;
  const Action action{path_, "read dataset", dataset};
  const Stored stored = open_stored(handle_, action);
  if (stored.shape() != shape || stored.size() != static_cast<Index>(out.size())) {
    action.fail(fmt::format("its shape is {}; expected {} into memory for {} values",
                            hdf5::shape_text(stored.shape()), hdf5::shape_text(shape), out.size()));
  }
  std::ranges::copy(stored.numbers<T>(), out.begin());
}

template <typename T>
void Hdf5File::write(std::string_view dataset, std::span<const T> values,
                     const std::vector<Index>& shape, Hdf5Storage storage) {
  const QuietErrors quiet;
  const Action action{path_, "write dataset", dataset};
  const Index count = element_count(action, shape);
  if (count != static_cast<Index>(values.size())) {
    action.fail(fmt::format("shape {} has {} elements, but {} values were given",
                            hdf5::shape_text(shape), count, values.size()));
  }
  const Handle space = make_space(shape);
  const Handle properties = dataset_properties();
  if (storage == Hdf5Storage::kChecksummed && !shape.empty() && count > 0) {
    add_checksums(properties.id(), chunk_shape(shape, sizeof(T)));
  }
  const Handle object =
      create_dataset(handle_, action, hdf5::file_type<T>(), space.id(), properties.id());
  if (count == 0) return;
  action.check(
      H5Dwrite(object.id(), hdf5::memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

template <typename T>
void Hdf5File::create_rows(std::string_view dataset, Index width) {
  const QuietErrors quiet;
  const Action action{path_, "create dataset", dataset};
  if (width < 0) action.fail(fmt::format("its width is {}; expected 0 or more", width));
  std::vector<hsize_t> sizes{0};
  std::vector<hsize_t> limits{H5S_UNLIMITED};
  std::vector<hsize_t> chunk{kGrowingChunkValues};
  if (width > 0) {
    const auto columns = static_cast<hsize_t>(width);
    chunk[0] = std::max<hsize_t>(1, kGrowingChunkValues / columns);
    for (auto* list : {&sizes, &limits, &chunk}) list->push_back(columns);
  }
  const Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()),
                     H5Sclose);
  const Handle properties = dataset_properties();
  add_checksums(properties.id(), chunk);
  create_dataset(handle_, action, hdf5::file_type<T>(), space.id(), properties.id());
}

template <typename T>
void Hdf5File::append(std::string_view dataset, std::span<const T> values) {
  const QuietErrors quiet;
  const Action action{path_, "append to dataset", dataset};
  const Stored stored = open_stored(handle_, action);
  auto sizes = growing_sizes(action, stored);
  const hsize_t width = sizes.size() == 2 ? sizes[1] : 1;
  if (values.size() % width != 0) {
    action.fail(fmt::format("{} values were given; expected a multiple of its width {}",
                            values.size(), width));
  }
  if (values.empty()) return;
  std::vector<hsize_t> start(sizes.size(), 0);
  start[0] = sizes[0];
  sizes[0] += values.size() / width;
  action.check(H5Dset_extent(stored.object(), sizes.data()));
  const Handle file_space(H5Dget_space(stored.object()), H5Sclose);
  std::vector<hsize_t> count = sizes;
  count[0] -= start[0];
  H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                      nullptr);
  const Handle memory_space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
  action.check(H5Dwrite(stored.object(), hdf5::memory_type<T>(), memory_space.id(), file_space.id(),
                        H5P_DEFAULT, values.data()));
}

void Hdf5File::truncate(std::string_view dataset, Index rows) {
  const QuietErrors quiet;
  const Action action{path_, "truncate dataset", dataset};
  const Stored stored = open_stored(handle_, action);
  auto sizes = growing_sizes(action, stored);
  if (rows < 0 || static_cast<hsize_t>(rows) > sizes[0]) {
    action.fail(fmt::format("{} rows were asked for; it has {}", rows, sizes[0]));
  }
  sizes[0] = static_cast<hsize_t>(rows);
  action.check(H5Dset_extent(stored.object(), sizes.data()));
}

std::string Hdf5File::read_string(std::string_view dataset) const {
  const QuietErrors quiet;
  const Action action{path_, "read dataset", dataset};
  const Stored stored = open_stored(handle_, action);
  if (!stored.shape().empty()) {
    action.fail(
        fmt::format("its shape is {}; expected one string", hdf5::shape_text(stored.shape())));
  }
  return stored.strings().front();
}

std::vector<std::string> Hdf5File::read_strings(std::string_view dataset) const {
  const QuietErrors quiet;
  return open_stored(handle_, {path_, "read dataset", dataset}).strings();
}

namespace {

void write_texts(hid_t file, const Action& action, const std::vector<std::string>& texts,
                 const std::vector<Index>& shape) {
  std::vector<const char*> pointers;
  for (const auto& text : texts) {
    if (text.find('\0') != std::string::npos) {
      action.fail("a string with a zero byte cannot be stored");
    }
    pointers.push_back(text.c_str());
  }
  const Handle type = hdf5::string_type();
  const Handle space = make_space(shape);
  const Handle dataset =
      create_dataset(file, action, type.id(), space.id(), dataset_properties().id());
  if (pointers.empty()) return;
  action.check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
}

}  // namespace

void Hdf5File::write_string(std::string_view dataset, std::string_view text) {
  const QuietErrors quiet;
  write_texts(handle_, {path_, "write dataset", dataset}, {std::string(text)}, {});
}

void Hdf5File::write_strings(std::string_view dataset, const std::vector<std::string>& texts) {
  const QuietErrors quiet;
  write_texts(handle_, {path_, "write dataset", dataset}, texts,
              {static_cast<Index>(texts.size())});
}

#define TAPEHEAD_INSTANTIATE(T)                                                                  \
  template Hdf5Array<T> Hdf5File::read(std::string_view) const;                                  \
  template void Hdf5File::read_into(std::string_view, std::span<T>, const std::vector<Index>&)   \
      const;                                                                                     \
  template void Hdf5File::write(std::string_view, std::span<const T>, const std::vector<Index>&, \
                                Hdf5Storage);                                                    \
  template void Hdf5File::create_rows<T>(std::string_view, Index);                               \
  template void Hdf5File::append(std::string_view, std::span<const T>);
TAPEHEAD_INSTANTIATE(float)
TAPEHEAD_INSTANTIATE(double)
TAPEHEAD_INSTANTIATE(std::int32_t)
TAPEHEAD_INSTANTIATE(std::int64_t)
TAPEHEAD_INSTANTIATE(std::uint8_t)
#undef TAPEHEAD_INSTANTIATE

}  // namespace tapehead
