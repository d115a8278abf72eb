#include "front/base/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstring>
#include <stdexcept>

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
    for (size_t t = 1; t < 8; ++t) tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
  return tables;
}

constexpr Crc32cTables kCrc32c = make_crc32c_tables();

std::string digest_hex(std::string_view bytes, const EVP_MD* algorithm) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, algorithm, nullptr) != 1)
    throw std::runtime_error("EVP_Digest failed");
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
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

}  // namespace mindspeed
