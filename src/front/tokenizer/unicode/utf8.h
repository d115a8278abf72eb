// UTF-8 by hand, the byte alphabet of byte-level vocabularies, and Unicode forms.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mindspeed::tokenization {

// Bytes of the character that begins at `at` of valid UTF-8: 1 to 4.
size_t character_length(std::string_view text, size_t at);

// Code point of the character that begins at `at` of valid UTF-8.
char32_t character_at(std::string_view text, size_t at);

void append_utf8(char32_t code_point, std::string& out);

// Length of the longest suffix of `bytes` that begins a character whose end is still missing (0 to 3).
size_t incomplete_tail(std::string_view bytes);

// `bytes` with every maximal invalid part replaced by U+FFFD (as Python's errors="replace").
std::string to_valid_utf8(std::string_view bytes);

// GPT-2's byte alphabet: each byte as a printable character (0x20 is U+0120 "Ġ", ...), as UTF-8.
const std::array<std::string, 256>& byte_alphabet();

// Inverse: the bytes that `token` spells, or nothing if one of its characters is outside the alphabet.
std::optional<std::string> bytes_of(std::string_view token);

enum class UnicodeForm { nfc, nfd, nfkc, nfkd };

// Normal form of valid UTF-8.
std::string normal_form(std::string_view text, UnicodeForm form);

// Each character's lower case on its own, as Rust's char::to_lowercase.
std::string lower_case(std::string_view text);

// Without characters of category Mn.
std::string without_marks(std::string_view text);

// Letter, mark, number or connector (a character of \w); white space (Unicode White_Space).
bool is_word(char32_t code_point);
bool is_space(char32_t code_point);
// Category C: controls, formats, surrogates, private use and unassigned.
bool is_other(char32_t code_point);

}  // namespace mindspeed::tokenization
