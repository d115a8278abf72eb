#include "front/tokenizer/unicode/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>

#include "front/base/error.h"

namespace mindspeed::tokenization {
namespace {

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(code, buffer.data(), buffer.size());
  return reinterpret_cast<const char*>(buffer.data());
}

}  // namespace

MatchScratch::MatchScratch() : data_(pcre2_match_data_create(1, nullptr)) {
  if (!data_) throw std::bad_alloc();
}

void MatchScratch::Free::operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }

void Regex::Free::operator()(pcre2_code* code) const { pcre2_code_free(code); }

Regex::Regex(std::string_view pattern, RegexDialect dialect) : pattern_(pattern) {
  const std::string translated = translate_pattern(pattern, dialect);
  // Oniguruma's ^ and $ always stand for line borders.
  const uint32_t lines = dialect == RegexDialect::oniguruma ? PCRE2_MULTILINE : PCRE2_DOLLAR_ENDONLY;
  int error = 0;
  PCRE2_SIZE at = 0;
  std::unique_ptr<pcre2_compile_context, decltype(&pcre2_compile_context_free)> context(
      pcre2_compile_context_create(nullptr), &pcre2_compile_context_free);
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                            PCRE2_UTF | PCRE2_UCP | lines, &error, &at, context.get()));
  if (!code_)
    fail("tokenizer", "the regular expression {} cannot be used: {} at byte {} of its translation {}",
         pattern, message_of(error), at, translated);
  // Without a JIT (some systems forbid executable memory) the interpreter gives the same matches, slower.
  pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);
}

std::optional<Match> Regex::find(std::string_view text, size_t start, MatchScratch& scratch) const {
  const auto run = [&](uint32_t options) {
    return pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), start,
                       PCRE2_NO_UTF_CHECK | options, scratch.get(), nullptr);
  };
  int rc = run(0);
  // The interpreter takes its memory from the heap.
  if (rc == PCRE2_ERROR_JIT_STACKLIMIT) rc = run(PCRE2_NO_JIT);
  if (rc == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (rc < 0) fail("tokenizer", "the regular expression {} failed on a text: {}", pattern_, message_of(rc));
  const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(scratch.get());
  return Match{bounds[0], bounds[1]};
}

}  // namespace mindspeed::tokenization
