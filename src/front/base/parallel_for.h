// A fixed pool of worker threads for front-half work (tokenising, conversion, checksums).
#pragma once

#include <cstddef>
#include <functional>

namespace mindspeed {

// Calls body(i) for i in [0, count) on `workers` threads (1 = inline). The first exception is rethrown after
// all threads have stopped; remaining indices are then skipped.
void parallel_for(size_t count, int workers, const std::function<void(size_t)>& body);

}  // namespace mindspeed
