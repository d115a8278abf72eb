// What `generate` and `chat` are asked to do, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mindspeed {

struct SamplingOptions {
  bool greedy = false;       // argmax; the other fields are then unused
  double temperature = 1.0;  // > 0
  int64_t top_k = 0;         // keep the k largest logits; 0 = all
  double top_p = 1.0;        // keep the smallest set of largest probabilities whose sum reaches p (at least one token)
  uint64_t seed = 1234;      // token t of row r depends on (seed, r, t) and its logits only
};

struct GenerateOptions {
  std::vector<std::string> prompts;
  std::string system;                 // system message, chat only
  bool chat_template = false;         // render each prompt as a user message; else it is plain text to continue
  std::map<std::string, std::string> template_arguments;  // further variables of the template
  int64_t max_new_tokens = 128;
  SamplingOptions sampling;
  std::vector<std::string> stop;      // stop strings: output ends before them
  bool ignore_eos = false;
  bool stream = true;                 // print text as it comes (one prompt only)
  std::string output_jsonl;           // one object per prompt: prompt, text, ids, finish reason; empty = stdout text
};

}  // namespace mindspeed
