#include "front/doctor/request.h"

#include <charconv>

#include "front/base/error.h"

namespace mindspeed {
namespace {

constexpr const char* kUsage =
    "usage: mindspeed doctor [--run FOLDER] [--model FOLDER] [--deep] [--port N] [--json]\n"
    "       mindspeed doctor --listen PORT          on one machine, then on the other:\n"
    "       mindspeed doctor --peer HOST:PORT       whether ranks could reach each other\n";

int port_number(const std::string& flag, const std::string& word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 1 || value > 65535)
    refuse(flag, "'{}' came; a port between 1 and 65535 was needed", word);
  return value;
}

void set_peer(DoctorRequest& request, const std::string& word) {
  const size_t colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0) refuse("--peer", "'{}' came; HOST:PORT was needed", word);
  request.peer = word.substr(0, colon);
  request.peer_port = port_number("--peer", word.substr(colon + 1));
}

}  // namespace

DoctorRequest doctor_request(const std::vector<std::string>& words) {
  DoctorRequest request;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& flag = words[i];
    const auto value = [&]() -> const std::string& {
      if (++i == words.size()) refuse(flag, "no value came; {}", kUsage);
      return words[i];
    };
    if (flag == "--deep")
      request.deep = true;
    else if (flag == "--json")
      request.json = true;
    else if (flag == "--run")
      request.run = value();
    else if (flag == "--model")
      request.model = value();
    else if (flag == "--peer")
      set_peer(request, value());
    else if (flag == "--port")
      request.port = port_number(flag, value());
    else if (flag == "--listen")
      request.listen = port_number(flag, value());
    else
      refuse("doctor", "'{}' came; {}", flag, kUsage);
  }
  return request;
}

}  // namespace mindspeed
