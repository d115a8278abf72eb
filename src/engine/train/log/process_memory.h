// Resident memory of this process.
#pragma once

namespace mindspeed {

struct ProcessMemory {
  double resident_mb = 0.0;  // now, MiB
  double peak_mb = 0.0;      // largest so far, MiB
};

// Zeros where /proc does not exist.
ProcessMemory process_memory();

}  // namespace mindspeed
