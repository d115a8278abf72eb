#include "engine/infer/commands.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/infer/generator.h"
#include "engine/infer/text_stream.h"
#include "front/base/error.h"
#include "front/base/file.h"
#include "front/base/json.h"
#include "front/base/log.h"
#include "front/tokenizer/chat_encode.h"

namespace mindspeed {
namespace {

void add_eos_ids(const fs::path& file, std::set<int32_t>& ids) {
  if (!fs::exists(file)) return;
  const Json config = read_json(file);
  const auto found = config.find("eos_token_id");
  if (found == config.end() || found->is_null()) return;
  if (found->is_number_integer()) ids.insert(found->get<int32_t>());
  if (found->is_array())
    for (const Json& id : *found) ids.insert(id.get<int32_t>());
}

// Renders conversations and encodes them.
class ChatFormat {
 public:
  ChatFormat(const Tokenizer& tokenizer, const GenerateOptions& options) : tokenizer_(tokenizer) {
    const auto found = tokenizer.chat_templates().find("default");
    if (found == tokenizer.chat_templates().end())
      refuse("chat",
             "the model has no chat template; use `generate` with plain prompts, or a model that has one");
    const auto spelled = [&](std::optional<int32_t> id) {
      return id ? std::string(*tokenizer.token(*id)) : std::string();
    };
    template_.emplace(found->second, spelled(tokenizer.bos()), spelled(tokenizer.eos()));
    for (const auto& [key, value] : options.template_arguments) {
      const OrderedJson parsed = OrderedJson::parse(value, nullptr, false);
      extra_[key] = parsed.is_discarded() ? OrderedJson(value) : parsed;
    }
  }

  std::vector<int32_t> encode(const OrderedJson& messages) const {
    ChatOptions options;
    options.add_generation_prompt = true;
    if (!extra_.empty()) options.extra = &extra_;
    return encode_chat(tokenizer_, template_->render_segments(messages, options));
  }

 private:
  const Tokenizer& tokenizer_;
  std::optional<ChatTemplate> template_;
  OrderedJson extra_ = OrderedJson::object();
};

OrderedJson opening(const GenerateOptions& options) {
  OrderedJson messages = OrderedJson::array();
  if (!options.system.empty()) messages.push_back({{"role", "system"}, {"content", options.system}});
  return messages;
}

std::vector<std::vector<int32_t>> encode_prompts(const Tokenizer& tokenizer, const GenerateOptions& options) {
  std::vector<std::vector<int32_t>> ids;
  std::optional<ChatFormat> format;
  if (options.chat_template) format.emplace(tokenizer, options);
  for (const std::string& prompt : options.prompts) {
    if (!format) {
      ids.push_back(tokenizer.encode(prompt, {.add_special_tokens = true}));
      continue;
    }
    OrderedJson messages = opening(options);
    messages.push_back({{"role", "user"}, {"content", prompt}});
    ids.push_back(format->encode(messages));
  }
  return ids;
}

void write_jsonl(const GenerateOptions& options, const std::vector<Generation>& results,
                 const std::vector<TextStream>& streams) {
  std::string lines;
  for (size_t i = 0; i < results.size(); ++i) {
    const OrderedJson row{{"prompt", options.prompts[i]},
                          {"text", streams[i].text()},
                          {"ids", results[i].ids},
                          {"finish_reason", to_string(results[i].reason)}};
    lines += row.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
  }
  write_file_atomic(options.output_jsonl, lines);
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Generates the answer to a conversation, streaming it.
std::string answer(Model& model, const Tokenizer& tokenizer, const GenerateOptions& options,
                   GenerationRequest& request, PrefixCache& prefix, std::ostream& out) {
  TextStream stream(tokenizer, options.stop);
  request.on_token = [&](size_t, int32_t id) {
    out << stream.push(id) << std::flush;
    return !stream.stopped();
  };
  generate(model, request, &prefix);
  out << stream.finish() << std::endl;
  return stream.text();
}

}  // namespace

std::set<int32_t> stop_ids(const fs::path& folder, const Tokenizer& tokenizer) {
  std::set<int32_t> ids;
  if (tokenizer.eos()) ids.insert(*tokenizer.eos());
  if (fs::is_directory(folder)) {
    add_eos_ids(folder / "generation_config.json", ids);
    add_eos_ids(folder / "config.json", ids);
  }
  return ids;
}

int run_generate(Model& model, const Tokenizer& tokenizer, const fs::path& folder,
                 const GenerateOptions& options, std::ostream& out) {
  if (options.prompts.empty()) refuse("generate", "no prompt came; give --prompt TEXT or --prompt-file FILE");
  GenerationRequest request;
  request.prompts = encode_prompts(tokenizer, options);
  request.max_new_tokens = options.max_new_tokens;
  request.sampling = options.sampling;
  if (!options.ignore_eos) request.stop_ids = stop_ids(folder, tokenizer);
  const bool speaks = model.mesh().rank == 0;
  const bool live = speaks && options.stream && options.prompts.size() == 1 && options.output_jsonl.empty();
  std::vector<TextStream> streams(options.prompts.size(), TextStream(tokenizer, options.stop));
  request.on_token = [&](size_t row, int32_t id) {
    const std::string fresh = streams[row].push(id);
    if (live) out << fresh << std::flush;
    return !streams[row].stopped();
  };
  const Stopwatch watch;
  const std::vector<Generation> results = generate(model, request);
  const double seconds = watch.seconds();
  size_t tokens = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    tokens += results[i].ids.size();
    const std::string rest = streams[i].finish();
    if (live) out << rest;
  }
  if (!speaks) return kExitOk;
  if (!options.output_jsonl.empty()) {
    write_jsonl(options, results, streams);
  } else if (live) {
    out << std::endl;
  } else {
    for (size_t i = 0; i < results.size(); ++i) out << fmt::format("[{}] {}\n", i, streams[i].text());
  }
  log_info("[generate] {} new tokens in {:.1f} s ({:.1f} tokens/s)", tokens, seconds,
           static_cast<double>(tokens) / seconds);
  return kExitOk;
}

int run_chat(Model& model, const Tokenizer& tokenizer, const fs::path& folder, const GenerateOptions& options,
             std::istream& in, std::ostream& out) {
  if (model.mesh().world->size() > 1)
    refuse("chat", "{} ranks came; chat runs on one", model.mesh().world->size());
  const ChatFormat format(tokenizer, options);
  GenerationRequest request;
  request.max_new_tokens = options.max_new_tokens;
  request.sampling = options.sampling;
  if (!options.ignore_eos) request.stop_ids = stop_ids(folder, tokenizer);
  OrderedJson messages = opening(options);
  PrefixCache prefix;
  std::string line;
  out << "Type a message; `clear` forgets the conversation; `q`, `quit` or `exit` ends it.\n";
  while (out << "You >> " << std::flush && std::getline(in, line)) {
    if (line == "q" || line == "quit" || line == "exit") break;
    if (line == "clear" || line == "new") {
      messages = opening(options);
      out << "(conversation forgotten)\n";
      continue;
    }
    if (line.empty()) continue;
    messages.push_back({{"role", "user"}, {"content", line}});
    request.prompts = {format.encode(messages)};
    try {
      out << "Model >> ";
      messages.push_back(
          {{"role", "assistant"}, {"content", answer(model, tokenizer, options, request, prefix, out)}});
    } catch (
        const Error& e) {  // the context is full: the turn is taken back, the conversation may be cleared
      out << std::endl << e.what() << "\n";
      messages.erase(messages.size() - 1);
    }
  }
  out << std::endl;
  return kExitOk;
}

}  // namespace mindspeed
