// The border between the program and libmindspeed_engine.so: one exported function and the value that crosses
// it.
#pragma once

#include <map>
#include <string>

#include "front/plan/generate.h"
#include "front/plan/plan.h"

namespace mindspeed {

struct EngineRequest {
  std::string command;  // pretrain | generate | chat
  Plan plan;
  GenerateOptions generate;                        // of generate and chat
  std::map<std::string, std::string> environment;  // the launcher's; nothing below apps/ calls getenv
};

}  // namespace mindspeed

// Runs a command; `request` points to a mindspeed::EngineRequest. Returns the exit code of the program; may
// throw mindspeed::Error.
extern "C" int mindspeed_engine_run(const char* command, const void* request);
