#include "front/data/parquet/plugin.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int64_t kRowsPerBatch = 1024;

[[noreturn]] void fail(const std::string& message) { throw std::runtime_error(message); }

void check(const arrow::Status& status) {
  if (!status.ok()) fail(status.ToString());
}

template <class T>
T take(arrow::Result<T> result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

bool is_text(const arrow::DataType& type) {
  using arrow::Type;
  if (type.id() == Type::DICTIONARY)
    return is_text(*static_cast<const arrow::DictionaryType&>(type).value_type());
  return type.id() == Type::STRING || type.id() == Type::LARGE_STRING || type.id() == Type::STRING_VIEW ||
         type.id() == Type::BINARY || type.id() == Type::LARGE_BINARY;
}

// The bytes of row `i` of a text column.
std::string_view text_at(const arrow::Array& array, int64_t i) {
  using arrow::Type;
  switch (array.type_id()) {
    case Type::DICTIONARY: {
      const auto& encoded = static_cast<const arrow::DictionaryArray&>(array);
      return text_at(*encoded.dictionary(), encoded.GetValueIndex(i));
    }
    case Type::LARGE_STRING:
    case Type::LARGE_BINARY:
      return static_cast<const arrow::LargeBinaryArray&>(array).GetView(i);
    case Type::STRING_VIEW:
      return static_cast<const arrow::StringViewArray&>(array).GetView(i);
    default:
      return static_cast<const arrow::BinaryArray&>(array).GetView(i);
  }
}

}  // namespace

struct MindspeedParquet {
  std::unique_ptr<parquet::arrow::FileReader> file;
  std::unique_ptr<arrow::RecordBatchReader> batches;
  std::shared_ptr<arrow::RecordBatch> batch;
  std::vector<int> order;  // position of each asked column in a batch
  int64_t row = 0;

  MindspeedParquet(const char* path, const char* const* names, size_t count) {
    auto input = take(arrow::io::ReadableFile::Open(path));
    parquet::ArrowReaderProperties properties;
    properties.set_batch_size(kRowsPerBatch);
    properties.set_pre_buffer(false);  // pages are read when they are needed: memory stays constant
    parquet::arrow::FileReaderBuilder builder;
    parquet::ReaderProperties reader_properties;
    reader_properties.enable_buffered_stream();
    check(builder.Open(std::move(input), reader_properties));
    builder.properties(properties);
    file = take(builder.Build());
    std::shared_ptr<arrow::Schema> schema;
    check(file->GetSchema(&schema));
    std::vector<int> columns;
    columns.reserve(count);
    for (size_t i = 0; i < count; ++i) columns.push_back(column_of(*schema, names[i]));
    std::vector<int> row_groups;
    for (int g = 0; g < file->num_row_groups(); ++g) row_groups.push_back(g);
    batches = take(file->GetRecordBatchReader(row_groups, columns));
    for (size_t i = 0; i < count; ++i) order.push_back(batches->schema()->GetFieldIndex(names[i]));
  }

  int column_of(const arrow::Schema& schema, const std::string& name) const {
    const auto field = schema.GetFieldByName(name);
    if (field == nullptr) fail("no column \"" + name + "\"; the columns are: " + schema.ToString());
    if (!is_text(*field->type()))
      fail("column \"" + name + "\" holds " + field->type()->ToString() + "; a string column is needed");
    const int leaf = file->parquet_reader()->metadata()->schema()->ColumnIndex(name);
    if (leaf < 0) fail("column \"" + name + "\" is nested; a flat string column is needed");
    return leaf;
  }

  // False at the end.
  bool next(const char** data, size_t* lengths) {
    while (batch == nullptr || row >= batch->num_rows()) {
      check(batches->ReadNext(&batch));
      row = 0;
      if (batch == nullptr) return false;
    }
    for (size_t i = 0; i < order.size(); ++i) {
      const arrow::Array& column = *batch->column(order[i]);
      const bool null = column.IsNull(row);
      const std::string_view text = null ? std::string_view() : text_at(column, row);
      data[i] = null ? nullptr : (text.data() != nullptr ? text.data() : "");
      lengths[i] = text.size();
    }
    ++row;
    return true;
  }
};

MindspeedParquet* mindspeed_parquet_open(const char* path, const char* const* names, size_t count,
                                         char* error, size_t error_size) {
  try {
    return new MindspeedParquet(path, names, count);
  } catch (const std::exception& e) {
    std::snprintf(error, error_size, "%s", e.what());
    return nullptr;
  }
}

int mindspeed_parquet_next(MindspeedParquet* file, const char** data, size_t* lengths, char* error,
                           size_t error_size) {
  try {
    return file->next(data, lengths) ? 1 : 0;
  } catch (const std::exception& e) {
    std::snprintf(error, error_size, "%s", e.what());
    return -1;
  }
}

int64_t mindspeed_parquet_rows(const MindspeedParquet* file) {
  return file->file->parquet_reader()->metadata()->num_rows();
}

void mindspeed_parquet_close(MindspeedParquet* file) { delete file; }
