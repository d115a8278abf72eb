#include <filesystem>

#include "front/base/error.h"
#include "front/base/plugin.h"
#include "front/data/parquet/plugin.h"
#include "front/data/readers/readers.h"

namespace mindspeed {
namespace {

// The functions of the plug-in that brings Arrow.
struct ParquetPlugin {
  decltype(&mindspeed_parquet_open) open;
  decltype(&mindspeed_parquet_next) next;
  decltype(&mindspeed_parquet_rows) rows;
  decltype(&mindspeed_parquet_close) close;
};

ParquetPlugin load_plugin() {
  const Plugin library(
      "parquet", "libmindspeed_parquet.so",
      "reading parquet needs it; run scripts/setup.sh, which installs pyarrow, and build again");
  return {library.function<decltype(mindspeed_parquet_open)>("mindspeed_parquet_open"),
          library.function<decltype(mindspeed_parquet_next)>("mindspeed_parquet_next"),
          library.function<decltype(mindspeed_parquet_rows)>("mindspeed_parquet_rows"),
          library.function<decltype(mindspeed_parquet_close)>("mindspeed_parquet_close")};
}

class ParquetReader : public RecordReader {
 public:
  ParquetReader(const std::string& path, const std::vector<std::string>& keys)
      : path_(path), keys_(keys), plugin_(load_plugin()), bytes_(std::filesystem::file_size(path)) {
    std::vector<const char*> names;
    for (const std::string& key : keys_) names.push_back(key.c_str());
    char error[1024] = "";
    file_ = plugin_.open(path.c_str(), names.data(), names.size(), error, sizeof error);
    if (file_ == nullptr) refuse("parquet", "{}: {}", path, error);
    rows_ = static_cast<uint64_t>(plugin_.rows(file_));
  }
  ~ParquetReader() override { plugin_.close(file_); }
  ParquetReader(const ParquetReader&) = delete;
  ParquetReader& operator=(const ParquetReader&) = delete;

  bool next(RawRecord& record) override {
    std::vector<const char*> data(keys_.size());
    std::vector<size_t> lengths(keys_.size());
    char error[1024] = "";
    const int result = plugin_.next(file_, data.data(), lengths.data(), error, sizeof error);
    if (result < 0) fail("parquet", "{}: row {}: {}", path_, row_ + 1, error);
    if (result == 0) return false;
    record.position = {++row_, 0};
    record.columns.assign(keys_.size(), std::nullopt);
    for (size_t i = 0; i < keys_.size(); ++i)
      if (data[i] != nullptr) record.columns[i].emplace(data[i], lengths[i]);
    return true;
  }

  std::optional<Fault> decode(const RawRecord& record, std::vector<std::string>& fields) const override {
    fields.clear();
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (!record.columns[i])
        return Fault{FaultReason::wrong_type, record.position,
                     fmt::format("\"{}\" holds null; a string is needed", keys_[i])};
      if (auto fault = check_text(*record.columns[i], record.position)) {
        fault->position = record.position;
        return fault;
      }
      fields.push_back(*record.columns[i]);
    }
    return std::nullopt;
  }

  uint64_t bytes_read() const override { return rows_ == 0 ? bytes_ : bytes_ * row_ / rows_; }

 private:
  std::string path_;
  std::vector<std::string> keys_;
  ParquetPlugin plugin_;
  uint64_t bytes_;
  MindspeedParquet* file_ = nullptr;
  uint64_t rows_ = 0;
  uint64_t row_ = 0;
};

}  // namespace

std::unique_ptr<RecordReader> open_parquet(const std::string& path, const std::vector<std::string>& keys) {
  return std::make_unique<ParquetReader>(path, keys);
}

}  // namespace mindspeed
