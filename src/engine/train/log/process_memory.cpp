#include "engine/train/log/process_memory.h"

#include <fstream>
#include <string>

namespace mindspeed {

ProcessMemory process_memory() {
  ProcessMemory memory;
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    double kib = 0.0;
    if (key == "VmRSS:" && status >> kib) memory.resident_mb = kib / 1024.0;
    if (key == "VmHWM:" && status >> kib) memory.peak_mb = kib / 1024.0;
    status.ignore(1 << 10, '\n');
  }
  return memory;
}

}  // namespace mindspeed
