#include "train/digest.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tapehead {
namespace {

std::string sha256_of(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  return sha.hex();
}

// NIST's examples for FIPS 180-4.
TEST(Sha256, MatchesPublishedVectors) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, PiecesMakeTheWhole) {
  Sha256 sha;
  sha.add("a");
  sha.add("");
  sha.add("bc");
  EXPECT_EQ(sha.hex(), sha256_of("abc"));
}

// The parameters' bytes are those of "abc" in pieces: the gaps between them must not count.
TEST(ParameterDigest, IsThatOfTheBytesInOrder) {
  ParameterStore<float> store;
  const char bytes[] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'};
  float numbers[3];
  std::copy_n(bytes, sizeof(bytes), reinterpret_cast<char*>(numbers));
  store.add("z", {1, 2}, ParameterKind::kWeight,
            [&](std::span<float> out) { std::copy_n(numbers, 2, out.begin()); });
  store.add("a", {}, ParameterKind::kBias, [&](std::span<float> out) { out[0] = numbers[2]; });
  EXPECT_EQ(parameter_digest(store), sha256_of("abcdefghijkl"));
}

TEST(ParameterDigest, TellsMinusZeroFromZero) {
  const auto digest_of = [](double value) {
    ParameterStore<double> store;
    store.add("w", {1}, ParameterKind::kWeight, [&](std::span<double> out) { out[0] = value; });
    return parameter_digest(store);
  };
  EXPECT_NE(digest_of(0.0), digest_of(-0.0));
}

}  // namespace
}  // namespace tapehead
