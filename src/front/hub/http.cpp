#include "front/hub/http.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "front/base/error.h"
#include "front/base/text.h"

namespace mindspeed {
namespace {

void start_curl_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("libcurl does not start");
  });
}

template <class Value>
void set(CURL* handle, CURLoption option, Value value) {
  if (const CURLcode code = curl_easy_setopt(handle, option, value); code != CURLE_OK)
    throw std::runtime_error(fmt::format("libcurl refuses option {}: {}", static_cast<int>(option),
                                         curl_easy_strerror(code)));
}

// "bytes 100-199/200" -> 100
uint64_t range_begin(CURL* handle) {
  curl_header* header = nullptr;
  if (curl_easy_header(handle, "Content-Range", 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return 0;
  const std::string_view value(header->value);
  const size_t at = value.find_first_of("0123456789");
  if (at == value.npos) return 0;
  uint64_t begin = 0;
  for (size_t i = at; i < value.size() && value[i] >= '0' && value[i] <= '9'; ++i)
    begin = begin * 10 + static_cast<uint64_t>(value[i] - '0');
  return begin;
}

// One transfer; libcurl calls `write` for each piece of the body.
struct Transfer {
  CURL* handle;
  const HttpClient::Sink& sink;
  HttpAnswer answer;
  std::exception_ptr thrown;

  void read_headers() {
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer.status);
    answer.begin = answer.status == 206 ? range_begin(handle) : 0;
  }

  static size_t write(char* data, size_t, size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    try {
      transfer.read_headers();
      if (transfer.answer.ok()) transfer.sink(transfer.answer, {data, size});
      return size;
    } catch (...) {
      transfer.thrown = std::current_exception();
      return 0;  // ends the transfer
    }
  }
};

bool was_reached(CURLcode code) {
  return code != CURLE_COULDNT_RESOLVE_HOST && code != CURLE_COULDNT_RESOLVE_PROXY &&
         code != CURLE_COULDNT_CONNECT && code != CURLE_PEER_FAILED_VERIFICATION &&
         code != CURLE_SSL_CACERT_BADFILE && code != CURLE_UNSUPPORTED_PROTOCOL &&
         code != CURLE_TOO_MANY_REDIRECTS && code != CURLE_URL_MALFORMAT;
}

}  // namespace

struct HttpClient::State {
  CURL* handle = curl_easy_init();
  curl_slist* headers = nullptr;
  char reason[CURL_ERROR_SIZE] = {};

  State() {
    if (handle == nullptr) throw std::runtime_error("libcurl does not start");
  }
  ~State() {
    curl_slist_free_all(headers);
    curl_easy_cleanup(handle);
  }
};

HttpClient::HttpClient(const HubAccess& access) : access_(access) {
  start_curl_once();
  state_ = std::make_unique<State>();
  CURL* handle = state_->handle;
  set(handle, CURLOPT_FOLLOWLOCATION, 1L);
  set(handle, CURLOPT_MAXREDIRS, 10L);
  // A hub that is reached in secret does not send us on in the open.
  set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  set(handle, CURLOPT_REDIR_PROTOCOLS_STR, access.endpoint.starts_with("https://") ? "https" : "http,https");
  set(handle, CURLOPT_CONNECTTIMEOUT, 20L);
  set(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(handle, CURLOPT_LOW_SPEED_TIME, 30L);
  set(handle, CURLOPT_NOSIGNAL, 1L);
  set(handle, CURLOPT_USERAGENT, access.user_agent.c_str());
  set(handle, CURLOPT_ERRORBUFFER, state_->reason);
  if (!access.certificates.empty()) set(handle, CURLOPT_CAINFO, access.certificates.c_str());
  if (!access.token.empty()) {
    // libcurl drops this header when it is redirected to another host or port.
    state_->headers = curl_slist_append(nullptr, ("Authorization: Bearer " + access.token).c_str());
    set(handle, CURLOPT_HTTPHEADER, state_->headers);
    if (access.model_scope) set(handle, CURLOPT_COOKIE, ("m_session_id=" + access.token).c_str());
  }
}

HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::get(const std::string& url, uint64_t from, const Sink& sink) {
  CURL* handle = state_->handle;
  Transfer transfer{handle, sink, {}, nullptr};
  state_->reason[0] = '\0';
  set(handle, CURLOPT_URL, url.c_str());
  set(handle, CURLOPT_WRITEFUNCTION, &Transfer::write);
  set(handle, CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  const std::string range = fmt::format("{}-", from);
  set(handle, CURLOPT_RANGE, from > 0 ? range.c_str() : static_cast<const char*>(nullptr));
  const CURLcode code = curl_easy_perform(handle);
  if (transfer.thrown) std::rethrow_exception(transfer.thrown);
  transfer.read_headers();
  HttpAnswer answer = transfer.answer;
  if (code != CURLE_OK) {
    answer.problem = state_->reason[0] != '\0' ? state_->reason : curl_easy_strerror(code);
    answer.reached = was_reached(code);
  }
  curl_off_t wait = 0;
  if (curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK)
    answer.retry_after = static_cast<double>(wait);
  return answer;
}

HttpAnswer HttpClient::get_text(const std::string& url, size_t limit, std::string& body) {
  for (int failures = 0;; ++failures) {
    body.clear();
    HttpAnswer answer = get(url, 0, [&](const HttpAnswer&, std::string_view piece) {
      if (body.size() + piece.size() > limit)
        fail("hub", "{} answers with more than {}; this is no hub", url, human_bytes(limit));
      body += piece;
    });
    if (!is_passing(answer) || failures + 1 >= access_.attempts) return answer;
    wait_to_retry(access_, failures, answer.retry_after);
  }
}

std::string url_path(std::string_view text) {
  std::string out;
  for (const unsigned char c : text)
    if (std::isalnum(c) != 0 || std::string_view("-_.~/").find(static_cast<char>(c)) != std::string_view::npos)
      out += static_cast<char>(c);
    else
      out += fmt::format("%{:02X}", c);
  return out;
}

void wait_to_retry(const HubAccess& access, int failures, double retry_after) {
  const double own = std::min(access.pause * static_cast<double>(1u << std::min(failures, 10)), 60.0);
  std::this_thread::sleep_for(std::chrono::duration<double>(std::max(own, std::min(retry_after, 300.0))));
}

bool is_passing(const HttpAnswer& answer) {
  if (!answer.problem.empty()) return answer.reached;
  return answer.status == 408 || answer.status == 429 || answer.status >= 500;
}

}  // namespace mindspeed
