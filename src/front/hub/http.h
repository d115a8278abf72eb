// HTTP requests over libcurl: redirects, resuming in the middle, the access token for the hub alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "front/hub/access.h"

namespace mindspeed {

struct HttpAnswer {
  long status = 0;      // of the last answer after redirects; 0 = none came
  std::string problem;  // why the transfer did not end well, in libcurl's words; empty = it did
  bool reached = true;  // a server was reached: trying again may help
  uint64_t begin = 0;   // where in the file the body begins (206 with Content-Range), else 0
  double retry_after = 0;  // seconds that the server asks to wait
  bool ok() const { return problem.empty() && status >= 200 && status < 300; }
};

// One connection that is kept between requests; for one thread.
class HttpClient {
 public:
  explicit HttpClient(const HubAccess& access);
  ~HttpClient();

  // Gets `url` from byte `from` on. `sink` takes the body of a successful answer in pieces, after its status and
  // begin are known; it may throw, which stops the transfer and is passed on. The token goes to the hub's own host
  // and not to where it redirects. A stall of 30 s is a problem, as is a body that ends early.
  using Sink = std::function<void(const HttpAnswer& answer, std::string_view piece)>;
  HttpAnswer get(const std::string& url, uint64_t from, const Sink& sink);

  // The body of a small answer, with new attempts while the server is busy. Throws Error if it has more than
  // `limit` bytes.
  HttpAnswer get_text(const std::string& url, size_t limit, std::string& body);

 private:
  struct State;
  const HubAccess& access_;
  std::unique_ptr<State> state_;
};

// A part of a path or query in percent-encoding; slashes stay.
std::string url_path(std::string_view text);

// Waits before attempt `failures` + 1: access.pause, doubled with each failure up to a minute, or longer if the
// server said so (five minutes at most).
void wait_to_retry(const HubAccess& access, int failures, double retry_after);

// Worth another attempt: the connection broke, or the server is busy.
bool is_passing(const HttpAnswer& answer);

}  // namespace mindspeed
