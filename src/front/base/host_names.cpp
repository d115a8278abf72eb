// Socket addresses are named by their numbers, in this process and in every library it loads.
//
// c10d's TCPStore asks the resolver for the host name of every connection it accepts, only to have it ready
// for log lines, and serves nobody meanwhile: one lost packet to a DNS server stops the rendezvous, and with
// it all signs of life, for 5 s. This definition comes before libc's in the order of look-up; it is libc's
// function with NI_NUMERICHOST always set.
#include <dlfcn.h>
#include <netdb.h>
#include <sys/socket.h>

extern "C" __attribute__((visibility("default"))) int getnameinfo(const sockaddr* address, socklen_t length,
                                                                  char* host, socklen_t host_size,
                                                                  char* service, socklen_t service_size,
                                                                  int flags) {
  using Function = int (*)(const sockaddr*, socklen_t, char*, socklen_t, char*, socklen_t, int);
  static const auto libc = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getnameinfo"));
  return libc(address, length, host, host_size, service, service_size, flags | NI_NUMERICHOST);
}
