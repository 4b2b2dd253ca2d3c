#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "autograd/parameter_store.h"

namespace tapehead {

/// A running SHA-256 (FIPS 180-4).
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  /// The digest of everything added, as 64 hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// SHA-256 of a file's bytes. Throws IoError if it cannot be read.
std::string file_digest(const std::filesystem::path& path);

/// SHA-256 of the bytes of all parameters in the order of the store, as they lie in memory, without
/// the gaps between them: equal digests mean equal bits.
template <typename Scalar>
std::string parameter_digest(const ParameterStore<Scalar>& store);

}  // namespace tapehead
