// The C interface of libmindspeed_parquet.so, the only code that links Arrow. The reader opens it when a
// parquet file is read, so that nothing else pays for loading it.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct MindspeedParquet;

// Opens the string columns `names` of a file. Returns null and writes a message to `error` on failure.
MindspeedParquet* mindspeed_parquet_open(const char* path, const char* const* names, size_t count,
                                         char* error, size_t error_size);

// The next row: data[i] and lengths[i] of every column, valid until the next call; data[i] is null for a null
// value. Returns 1 for a row, 0 at the end, -1 on failure (message in `error`).
int mindspeed_parquet_next(MindspeedParquet* file, const char** data, size_t* lengths, char* error,
                           size_t error_size);

int64_t mindspeed_parquet_rows(const MindspeedParquet* file);
void mindspeed_parquet_close(MindspeedParquet* file);

}  // extern "C"
