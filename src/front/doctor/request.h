// The arguments of `mindspeed doctor`.
#pragma once

#include <string>
#include <vector>

namespace mindspeed {

struct DoctorRequest {
  std::string run, model;  // folders to examine; may be empty
  std::string peer;        // host of another doctor that listens, with its port
  int peer_port = 0;
  int listen = 0;    // port to listen on, 0 = do not
  int port = 29500;  // of the ranks' meeting point: is it free?
  bool deep = false, json = false;
};

// Throws Error (exit code 2) for what it does not know.
DoctorRequest doctor_request(const std::vector<std::string>& words);

}  // namespace mindspeed
