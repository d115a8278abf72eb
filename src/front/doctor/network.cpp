#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "front/base/text.h"
#include "front/doctor/checks.h"

namespace mindspeed {
namespace {

// A socket that closes itself.
class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

std::string why() { return std::strerror(errno); }

// Listens on all addresses; port 0 takes a free one.
Socket listener(int port) {
  Socket s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(s.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  if (::bind(s.fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(s.fd(), 1) != 0)
    return Socket(-1);
  return s;
}

int port_of(const Socket& s) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(s.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

bool ready(const Socket& s, short events, int seconds) {
  pollfd waiting{s.fd(), events, 0};
  return ::poll(&waiting, 1, seconds * 1000) == 1;
}

Socket connected(const sockaddr_in& address, int seconds) {
  Socket s(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (::connect(s.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
      errno != EINPROGRESS)
    return Socket(-1);
  int error = ETIMEDOUT;
  socklen_t size = sizeof error;
  if (ready(s, POLLOUT, seconds)) ::getsockopt(s.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  errno = error;
  return error == 0 ? std::move(s) : Socket(-1);
}

std::string receive_line(const Socket& s, int seconds) {
  std::string line;
  char c = 0;
  while (line.size() < 200 && ready(s, POLLIN, seconds) && ::recv(s.fd(), &c, 1, 0) == 1 && c != '\n')
    line += c;
  return line;
}

void send_line(const Socket& s, const std::string& line) {
  const std::string text = line + "\n";
  if (::send(s.fd(), text.data(), text.size(), MSG_NOSIGNAL) < 0) return;  // the other end then times out
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

// IPv4 addresses of a name; empty if it does not resolve.
std::vector<sockaddr_in> addresses_of(const std::string& host, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  std::vector<sockaddr_in> out;
  if (::getaddrinfo(host.c_str(), fmt::format("{}", port).c_str(), &hints, &found) != 0) return out;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next)
    out.push_back(*reinterpret_cast<const sockaddr_in*>(at->ai_addr));
  ::freeaddrinfo(found);
  return out;
}

std::string text_of(const sockaddr_in& address) {
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
  return text.data();
}

Finding interfaces_finding() {
  ifaddrs* list = nullptr;
  std::vector<std::string> found;
  bool outside = false;
  if (::getifaddrs(&list) == 0) {
    for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
      if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET || (at->ifa_flags & IFF_UP) == 0)
        continue;
      found.push_back(
          fmt::format("{} {}", at->ifa_name, text_of(*reinterpret_cast<const sockaddr_in*>(at->ifa_addr))));
      outside |= (at->ifa_flags & IFF_LOOPBACK) == 0;
    }
    ::freeifaddrs(list);
  }
  return {outside ? Health::ok : Health::warn, "interfaces", found.empty() ? "none" : join(found, ", "),
          outside
              ? ""
              : "only this machine can be reached: ranks on other machines need an interface of the network"};
}

}  // namespace

Findings examine_network(int port) {
  Findings out;
  const std::string name = host_name();
  const auto addresses = addresses_of(name, port);
  out.push_back({addresses.empty() ? Health::warn : Health::ok, "host name",
                 addresses.empty() ? fmt::format("{} does not resolve", name)
                                   : fmt::format("{} is {}", name, text_of(addresses.front())),
                 addresses.empty() ? "put it into /etc/hosts, or give MASTER_ADDR as an address" : ""});
  out.push_back(interfaces_finding());
  const bool free = static_cast<bool>(listener(port));
  out.push_back({free ? Health::ok : Health::bad, "port",
                 free ? fmt::format("{} is free", port) : fmt::format("{}: {}", port, why()),
                 free ? "" : "another program listens there: end it, or choose another MASTER_PORT"});
  return out;
}

Findings listen_for_peer(int port, int seconds) {
  const Socket door = listener(port);
  if (!door)
    return {{Health::bad, "way in", fmt::format("port {}: {}", port, why()),
             "choose another port with --listen"}};
  if (!ready(door, POLLIN, seconds))
    return {{Health::bad, "way in", fmt::format("nobody reached port {} within {} s", port, seconds),
             "start `mindspeed doctor --peer THIS_HOST:PORT` on the other machine; if it runs, open the port "
             "in the firewall"}};
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const Socket peer(::accept4(door.fd(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC));
  Findings out{{Health::ok, "way in", fmt::format("{} reached port {}", text_of(from), port), ""}};
  const std::string line = receive_line(peer, seconds);  // "mindspeed-doctor PORT"
  const size_t blank = line.find(' ');
  int back = 0;
  if (blank != std::string::npos) std::from_chars(line.data() + blank + 1, line.data() + line.size(), back);
  if (!line.starts_with("mindspeed-doctor ") || back < 1 || back > 65535) {
    out.push_back({Health::bad, "way back", "the caller is not `mindspeed doctor`",
                   "use the same program on both machines"});
    return out;
  }
  from.sin_port = htons(static_cast<uint16_t>(back));
  const Socket there = connected(from, seconds);
  const std::string reason = there ? "" : why();
  send_line(peer, there ? "reached" : reason);
  out.push_back(
      {there ? Health::ok : Health::bad, "way back",
       there ? fmt::format("{}:{} reached", text_of(from), back)
             : fmt::format("{}:{}: {}", text_of(from), back, reason),
       there ? ""
             : "a firewall blocks connections to that machine: ranks need free ports in both directions"});
  return out;
}

Findings reach_peer(const std::string& host, int port, int seconds) {
  const auto addresses = addresses_of(host, port);
  if (addresses.empty())
    return {{Health::bad, "way out", fmt::format("{} does not resolve", host),
             "give its address, or put it into /etc/hosts"}};
  const Socket door = listener(0);
  const Socket peer = connected(addresses.front(), seconds);
  if (!peer)
    return {
        {Health::bad, "way out", fmt::format("{}:{}: {}", host, port, why()),
         "start `mindspeed doctor --listen PORT` there first; if it runs, open the port in its firewall"}};
  Findings out{{Health::ok, "way out", fmt::format("{}:{} reached", host, port), ""}};
  send_line(peer, fmt::format("mindspeed-doctor {}", port_of(door)));
  const std::string answer = receive_line(peer, seconds);
  const bool back = answer == "reached";
  out.push_back({back ? Health::ok : Health::bad, "way back",
                 back ? "it reached us"
                      : fmt::format("it could not reach us: {}", answer.empty() ? "no answer" : answer),
                 back ? ""
                      : "open this machine's firewall for connections from there: ranks use free ports in "
                        "both directions"});
  return out;
}

}  // namespace mindspeed
