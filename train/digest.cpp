#include "train/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "base/error.h"

namespace tapehead {

namespace {

void require(int result, const char* action) {
  if (result != 1) throw std::runtime_error(fmt::format("sha256: {} failed in libcrypto", action));
}

}  // namespace

struct Sha256::Context {
  EVP_MD_CTX* evp = EVP_MD_CTX_new();

  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(evp); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  require(EVP_DigestInit_ex(context_->evp, EVP_sha256(), nullptr), "the start");
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()), "an update");
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(context_->evp, bytes.data(), &size), "the end");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

std::string file_digest(const std::filesystem::path& path) {
  constexpr std::size_t kBufferSize = std::size_t{1} << 16;
  std::vector<char> buffer(kBufferSize);
  std::ifstream file(path, std::ios::binary);
  Sha256 sha;
  while (file.read(buffer.data(), kBufferSize) || file.gcount() > 0) {
    sha.add(std::string_view(buffer.data(), static_cast<std::size_t>(file.gcount())));
  }
  if (!file.eof()) {
    throw IoError(fmt::format("{}: cannot read: {}", path.string(), std::strerror(errno)));
  }
  return sha.hex();
}

template <typename Scalar>
std::string parameter_digest(const ParameterStore<Scalar>& store) {
  Sha256 sha;
  for (const Parameter<Scalar>& parameter : store.parameters()) {
    const Tensor<Scalar> value = parameter.value();
    sha.add(std::as_bytes(value.values()));
  }
  return sha.hex();
}

template std::string parameter_digest(const ParameterStore<float>&);
template std::string parameter_digest(const ParameterStore<double>&);

}  // namespace tapehead
