#include <gtest/gtest.h>

#include "front/base/error.h"
#include "front/tokenizer/unicode/regex.h"
#include "front/tokenizer/unicode/utf8.h"

namespace mindspeed::tokenization {
namespace {

TEST(Regex, WhiteSpaceIsUnicodesSetAndNotPerls) {
  // U+180E is a format character since Unicode 6.3; U+0085 and U+2028 are white space.
  const Regex space("\\s", RegexDialect::oniguruma);
  MatchScratch scratch;
  EXPECT_FALSE(space.find("\u180e", 0, scratch));
  for (const char* text : {"\u0085", "\u2028", "\u3000", "\v", "\u00a0"})
    EXPECT_TRUE(space.find(text, 0, scratch));
}

TEST(Regex, ConstructsWithAnotherMeaningInPcreAreRefusedByName) {
  for (const char* pattern : {"\\h+", "[a[bc]]", "[a&&b]", "a{2,3}+", "[\\S]"})
    EXPECT_THROW(Regex(pattern, RegexDialect::oniguruma), Error) << pattern;
  EXPECT_NO_THROW(Regex("\\p{N}{1,3}+", RegexDialect::rust));
  EXPECT_EQ(translate_pattern("\\p{Han}\\p{Lu}", RegexDialect::rust), "\\p{sc:Han}\\p{Lu}");
}

TEST(Utf8, TailHoldsOnlyCharactersThatMayStillBecomeValid) {
  const std::string emoji = "\xf0\x9f\x98\x80";
  for (size_t n = 1; n < 4; ++n) EXPECT_EQ(incomplete_tail("a" + emoji.substr(0, n)), n);
  EXPECT_EQ(incomplete_tail(emoji), 0U);
  EXPECT_EQ(incomplete_tail("\xff"), 0U);
  EXPECT_EQ(incomplete_tail("\xe0\x80"), 0U);  // overlong: can never become valid
  EXPECT_EQ(incomplete_tail("a\x80"), 0U);
  EXPECT_EQ(to_valid_utf8("a\xf0\x9f\x98!\xff"), "a\ufffd!\ufffd");  // as bytes.decode("utf-8", "replace")
}

TEST(Utf8, ByteAlphabetIsGpt2s) {
  EXPECT_EQ(byte_alphabet()[' '], "Ġ");
  EXPECT_EQ(byte_alphabet()['\n'], "Ċ");
  EXPECT_EQ(byte_alphabet()[0xad], "Ń");
  std::string all;
  for (const std::string& c : byte_alphabet()) all += c;
  const auto bytes = bytes_of(all);
  ASSERT_TRUE(bytes);
  for (int b = 0; b < 256; ++b) EXPECT_EQ(static_cast<unsigned char>((*bytes)[static_cast<size_t>(b)]), b);
  EXPECT_FALSE(bytes_of("漢"));
}

TEST(Utf8, NormalFormsFollowUnicode) {
  EXPECT_EQ(normal_form("cafe\u0301 \u212b", UnicodeForm::nfc), "caf\u00e9 \u00c5");
  EXPECT_EQ(normal_form("\u00e9", UnicodeForm::nfd), "e\u0301");
  EXPECT_EQ(normal_form("\ufb01\u00b2", UnicodeForm::nfkc), "fi2");
  EXPECT_EQ(lower_case("\u0130\u00c9"), "i\u0307\u00e9");
}

}  // namespace
}  // namespace mindspeed::tokenization
