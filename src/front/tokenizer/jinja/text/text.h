// Strings that remember where each byte came from, so that a control token typed by a user stays plain text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mindspeed::jinja {

// Marks of a byte range; 0 means: written by the template's author.
enum Mark : uint8_t {
  kContent = 1,    // came in with a message, a tool or another argument of render()
  kGenerated = 2,  // printed inside {% generation %}: what the assistant has to learn
};

// UTF-8 bytes with marks per range. Lengths and indices of templates count code points; begin and end here
// are byte offsets. Invalid UTF-8 never comes in (JSON and template source are checked before).
class Text {
 public:
  struct Run {
    size_t end;  // the run covers [end of the previous run, end)
    uint8_t marks;
  };
  Text() = default;
  explicit Text(std::string bytes, uint8_t marks = 0);

  const std::string& bytes() const { return bytes_; }
  const std::vector<Run>& runs() const { return runs_; }
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  uint8_t marks_at(size_t offset) const;

  void append(const Text& other);
  void append(std::string_view bytes, uint8_t marks);
  Text slice(size_t begin, size_t end) const;
  // The same text with `marks` added everywhere.
  Text with_marks(uint8_t marks) const;

  // Whether the filters `safe` or `escape` made it: adding plain text to it escapes that text, as in Jinja.
  // Kept by slice() and the case mappings; append() and join() don't care.
  bool is_markup() const { return is_markup_; }
  Text as_markup() const;

  size_t length() const;                        // in code points
  std::vector<size_t> code_point_ends() const;  // [0, end of first, ..., size()]

 private:
  std::string bytes_;
  std::vector<Run> runs_;
  bool is_markup_ = false;
};

// The code point that begins at `offset`, which is moved behind it.
char32_t next_code_point(std::string_view bytes, size_t& offset);
std::string encode_utf8(char32_t code_point);
// Python's str.isspace and str.isprintable for one code point.
bool is_space(char32_t code_point);
bool is_printable(char32_t code_point);

enum class Side { left, right, both };
// str.strip, lstrip, rstrip: removes white space, or the code points in `chars`.
Text strip(const Text& text, Side side, std::optional<std::string_view> chars = {});
// str.split and rsplit; without separator at runs of white space; limit < 0 is no limit. An empty separator
// is the caller's fault.
std::vector<Text> split(const Text& text, std::optional<std::string_view> separator, int64_t limit,
                        bool from_right);
std::vector<Text> split_lines(const Text& text, bool keep_ends = false);
Text replace(const Text& text, std::string_view old_part, const Text& new_part, int64_t limit);
// & < > ' " as HTML entities, if it is no markup yet; the result is markup.
Text escape_html(const Text& text);
Text join(const Text& separator, const std::vector<Text>& parts);

// Case mappings by code point (plus "ss" for the upper case of sharp s; other one-to-many mappings are not
// made).
Text upper(const Text& text);
Text lower(const Text& text);
Text capitalize(const Text& text);
// str.title; the filter `title` has other word borders (see builtins/filters/text.cpp).
Text title(const Text& text);

}  // namespace mindspeed::jinja
