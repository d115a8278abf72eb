#include <nlohmann/json.hpp>

#include "front/base/json.h"
#include "front/tokenizer/chat_template.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mindspeed;
  static const OrderedJson messages = OrderedJson::parse(
      R"([{"role":"system","content":"s"},{"role":"user","content":"u <|x|>"},)"
      R"({"role":"assistant","content":"a","tool_calls":[{"name":"f","arguments":{"k":[1,2.5,null,true]}}]}])");
  return fuzz::expect_answer([&] {
    const ChatTemplate chat(fuzz::text_of(data, size), "<s>", "</s>");
    ChatOptions options;
    options.add_generation_prompt = true;
    options.now_seconds = 0;
    chat.render(messages, options);
  });
}
