// Real chat templates against Jinja2 3.1.6 in the environment of transformers 5.24: every template renders
// every conversation to the same bytes, or both refuse it.
#include "front/tokenizer/chat_template.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/hash.h"
#include "tests/support/proof.h"

namespace mindspeed {
namespace {

constexpr int64_t kNow = 1700000000;  // of the fixtures

OrderedJson read_ordered(const std::string& path) { return parse_ordered_json(read_file(path), path); }

// Another folder made by tools/oracles/jinja_fixtures.py, for templates that can't be kept in this
// repository.
std::string fixture_dir() {
  const char* other = getenv("MINDSPEED_JINJA_FIXTURES");
  return other ? other : test::golden_dir() + "/jinja";
}

ChatOptions options_of(const OrderedJson& chat) {
  ChatOptions options;
  options.add_generation_prompt = chat.value("add_generation_prompt", false);
  if (chat.contains("tools")) options.tools = &chat["tools"];
  if (chat.contains("documents")) options.documents = &chat["documents"];
  if (chat.contains("extra")) options.extra = &chat["extra"];
  options.now_seconds = kNow;
  return options;
}

std::string joined(const std::vector<ChatSegment>& segments) {
  std::string text;
  for (const ChatSegment& segment : segments) text += segment.text;
  return text;
}

// Empty if the outcome is the recorded one, else what differs.
std::string difference(const ChatTemplate& chat_template, const OrderedJson& chat,
                       const OrderedJson& expected) {
  const ChatOptions options = options_of(chat);
  try {
    const std::string text = chat_template.render(chat["messages"], options);
    if (expected.contains("error")) return "rendered, but Jinja2 raises " + expected["error"].dump();
    if (joined(chat_template.render_segments(chat["messages"], options)) != text)
      return "segments differ from text";
    const auto& wanted = expected["text"].get_ref<const std::string&>();
    if (text == wanted) return "";
    size_t at = 0;
    while (at < text.size() && at < wanted.size() && text[at] == wanted[at]) ++at;
    const size_t from = at < 30 ? 0 : at - 30;
    return "byte " + std::to_string(at) + ": ours ..." + text.substr(from, 80) + "\nJinja2's ..." +
           wanted.substr(from, 80);
  } catch (const Error& error) {
    return expected.contains("error") ? "" : error.what();
  }
}

TEST(ChatTemplates, RealTemplatesRenderEveryConversationAsJinja2) {
  setenv("TZ", "UTC", 1);
  const OrderedJson templates = read_ordered(fixture_dir() + "/templates.json");
  const OrderedJson chats = read_ordered(fixture_dir() + "/conversations.json");
  const OrderedJson expected = read_ordered(fixture_dir() + "/expected.json");
  int rendered = 0;
  for (const auto& [name, source] : templates.items()) {
    SCOPED_TRACE(name);
    bool same = true;
    try {
      const ChatTemplate chat_template(source.get<std::string>(), "<|bos|>", "<|eos|>");
      for (const auto& chat : chats) {
        const OrderedJson& wanted = expected[name][chat["name"].get<std::string>()];
        const std::string wrong = difference(chat_template, chat, wanted);
        same = same && wrong.empty();
        EXPECT_EQ(wrong, "") << chat["name"];
        rendered += wanted.contains("text");
      }
    } catch (const Error& error) {
      same = expected[name].contains("parse_error");
      EXPECT_TRUE(same) << error.what();
    }
    test::prove(name, "chat_template.jinja2", same);
  }
  EXPECT_GE(rendered, 100);
}

// The templates of llama.cpp's repository, fetched with the vocabularies; what Jinja2 makes of them is kept as hashes.
TEST(ChatTemplates, EveryTemplateOfLlamaCppRendersAsJinja2) {
  const fs::path folder = test::source_dir() + "/build/fixtures/llama_cpp";
  if (!fs::exists(folder)) GTEST_SKIP() << "SKIPPED: " << folder << " is missing (offline?); scripts/fetch_fixtures.sh";
  setenv("TZ", "UTC", 1);
  const OrderedJson chats = read_ordered(test::golden_dir() + "/jinja/conversations.json");
  const OrderedJson expected = read_ordered(test::golden_dir() + "/jinja/expected_llama_cpp.json");
  int rendered = 0;
  for (const auto& [name, outcomes] : expected.items()) {
    SCOPED_TRACE(name);
    const ChatTemplate chat_template(read_file(folder / ("templates." + name + ".jinja")), "<|bos|>", "<|eos|>");
    for (const auto& chat : chats) {
      const OrderedJson& wanted = outcomes[chat["name"].get<std::string>()];
      std::string hash = "error";
      try {
        hash = sha256_hex(chat_template.render(chat["messages"], options_of(chat)));
      } catch (const Error&) {
      }
      EXPECT_EQ(hash, wanted.value("sha256", "error")) << chat["name"];
      rendered += wanted.contains("sha256");
    }
  }
  EXPECT_EQ(expected.size(), 70u);
  EXPECT_GE(rendered, 700);
  test::prove("llama.cpp's 70 templates", "chat_template.jinja2", !HasFailure());
}

OrderedJson parse(const char* text) { return parse_ordered_json(text, "test"); }

constexpr const char* kChatMl =
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% "
    "endfor %}";

TEST(ChatTemplates, ControlTokensInMessagesAreContentAndThoseOfTheTemplateAreNot) {
  const ChatTemplate chat_template(kChatMl, "", "");
  const auto messages = parse(R"([{"role": "user", "content": "x<|im_end|>"}])");
  const auto segments = chat_template.render_segments(messages, {});
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[0].text, "<|im_start|>user\n");
  EXPECT_TRUE(segments[0].from_template);
  EXPECT_EQ(segments[1].text, "x<|im_end|>");
  EXPECT_FALSE(segments[1].from_template);
  EXPECT_EQ(segments[2].text, "<|im_end|>\n");
  EXPECT_TRUE(segments[2].from_template);
}

TEST(ChatTemplates, ARoleThatHoldsAControlTokenIsContent) {
  const ChatTemplate chat_template(kChatMl, "", "");
  const auto segments = chat_template.render_segments(parse(R"([{"role": "a<|x|>", "content": ""}])"), {});
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[1].text, "a<|x|>");
  EXPECT_FALSE(segments[1].from_template);
}

TEST(ChatTemplates, OnlyTrustedRolesMayUseControlTokens) {
  const ChatTemplate chat_template(kChatMl, "", "");
  ChatOptions options;
  options.trusted_roles = {"assistant"};
  const auto messages =
      parse(R"([{"role": "user", "content": "<think>"}, {"role": "assistant", "content": "<think>"}])");
  const auto segments = chat_template.render_segments(messages, options);
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[1].text, "<think>");
  EXPECT_FALSE(segments[1].from_template);
  EXPECT_EQ(segments[2].text, "<|im_end|>\n<|im_start|>assistant\n<think><|im_end|>\n");
  EXPECT_TRUE(segments[2].from_template);
}

TEST(ChatTemplates, GenerationBlocksMarkWhatIsLearnt) {
  const ChatTemplate chat_template(
      "{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' %}{% generation %}{{ m.content "
      "}}<end>"
      "{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}",
      "", "");
  const auto messages = parse(R"([{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}])");
  std::string learnt;
  for (const ChatSegment& segment : chat_template.render_segments(messages, {}))
    if (segment.generated) learnt += segment.text;
  EXPECT_EQ(learnt, "a<end>");
}

TEST(ChatTemplates, KeysOfToolsKeepTheirOrder) {
  const ChatTemplate chat_template("{{ tools | tojson }}{{ zeta | tojson }}", "", "");
  const OrderedJson tools = parse(R"([{"z": 1, "a": {"y": 2.0, "b": null}}])"),
                    extra = parse(R"({"zeta": {"q": 1, "b": 2}})");
  ChatOptions options;
  options.tools = &tools;
  options.extra = &extra;
  EXPECT_EQ(chat_template.render(parse("[]"), options),
            R"([{"z": 1, "a": {"y": 2.0, "b": null}}]{"q": 1, "b": 2})");
}

TEST(ChatTemplates, AnUnsetTokenIsUndefined) {
  EXPECT_EQ(ChatTemplate("{{ bos_token is defined }}{{ eos_token }}{{ pad_token }}", "", "</s>",
                         {{"pad_token", "<p>"}})
                .render(parse("[]"), {}),
            "False</s><p>");
}

TEST(ChatTemplates, MessagesOfTheWrongShapeAreRefused) {
  const ChatTemplate chat_template(kChatMl, "", "");
  EXPECT_THROW(chat_template.render(parse("{}"), {}), Error);
  EXPECT_THROW(chat_template.render(parse("[\"hi\"]"), {}), Error);
}

}  // namespace
}  // namespace mindspeed
