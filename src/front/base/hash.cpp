#include "front/base/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "front/base/error.h"

namespace mindspeed {
namespace {

using Crc32cTables = std::array<std::array<uint32_t, 256>, 8>;

// Slicing-by-8 tables for the reflected polynomial 0x82f63b78.
constexpr Crc32cTables make_crc32c_tables() {
  Crc32cTables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0x82f63b78u : 0u);
    tables[0][i] = value;
  }
  for (uint32_t i = 0; i < 256; ++i)
    for (size_t t = 1; t < 8; ++t)
      tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
  return tables;
}

constexpr Crc32cTables kCrc32c = make_crc32c_tables();

using Digest = std::array<unsigned char, EVP_MAX_MD_SIZE>;

std::string hex(const Digest& digest, unsigned int length) {
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
}

void require(int ok) {
  if (ok != 1) throw std::runtime_error("OpenSSL's digest failed");
}

std::string digest_hex(std::string_view bytes, const EVP_MD* algorithm) {
  Digest digest{};
  unsigned int length = 0;
  require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, algorithm, nullptr));
  return hex(digest, length);
}

// Of `before` and then the file's bytes.
std::string file_digest(const std::filesystem::path& path, const EVP_MD* algorithm, std::string_view before) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  require(EVP_DigestInit_ex(context.get(), algorithm, nullptr));
  require(EVP_DigestUpdate(context.get(), before.data(), before.size()));
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("read", "{}: cannot be opened", path.string());
  std::vector<char> buffer(1 << 20);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    require(EVP_DigestUpdate(context.get(), buffer.data(), static_cast<size_t>(in.gcount())));
  }
  if (!in.eof()) fail("read", "{}: reading stopped half way", path.string());
  Digest digest{};
  unsigned int length = 0;
  require(EVP_DigestFinal_ex(context.get(), digest.data(), &length));
  return hex(digest, length);
}

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes, uint32_t seed) {
  uint32_t crc = ~seed;
  const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {
    uint64_t word = 0;
    std::memcpy(&word, p, 8);
    word ^= crc;
    crc = 0;
    for (size_t t = 0; t < 8; ++t) crc ^= kCrc32c[7 - t][(word >> (8 * t)) & 0xff];
  }
  for (; left > 0; --left, ++p) crc = (crc >> 8) ^ kCrc32c[0][(crc ^ *p) & 0xff];
  return ~crc;
}

std::string md5_hex(std::string_view bytes) { return digest_hex(bytes, EVP_md5()); }
std::string sha256_hex(std::string_view bytes) { return digest_hex(bytes, EVP_sha256()); }

std::string sha256_file(const std::filesystem::path& path) { return file_digest(path, EVP_sha256(), ""); }

std::string git_blob_sha1(const std::filesystem::path& path) {
  const std::string header = fmt::format("blob {}", std::filesystem::file_size(path));
  return file_digest(path, EVP_sha1(), std::string_view(header.c_str(), header.size() + 1));
}

}  // namespace mindspeed
