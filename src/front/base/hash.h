// Checksums and content fingerprints. Not for security.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace mindspeed {

// CRC-32C (Castagnoli), as in TensorBoard records and checkpoint pieces. `seed` continues an earlier value.
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t seed = 0);

// MD5 as 32 lower-case hex digits (Megatron names its index caches by it).
std::string md5_hex(std::string_view bytes);

// SHA-256 as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

// SHA-256 of a file's bytes, read in pieces. Throws Error if it cannot be read.
std::string sha256_file(const std::filesystem::path& path);

// The name that git gives to a file's content, 40 lower-case hex digits. Throws Error if it cannot be read.
std::string git_blob_sha1(const std::filesystem::path& path);

}  // namespace mindspeed
