// Writes Megatron's .bin/.idx pair (see indexed_dataset.h) in constant memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "front/base/dtype.h"
#include "front/base/file.h"
#include "front/formats/indexed/spool.h"

namespace mindspeed {

// Both files appear at finish(); before, and after a crash, nothing opens as valid. An older pair under the
// same prefix stays until then.
class IndexedDatasetBuilder {
 public:
  // dtype: one of u8 i8 i16 u16 i32 i64 f32 f64, else Error.
  explicit IndexedDatasetBuilder(const std::string& prefix, DType dtype = DType::i32);

  // Appends a sequence, possibly empty. Throws Error if a value does not fit the dtype (with the value) or
  // the sequence has 2^31 elements or more.
  void add_sequence(std::span<const int32_t> tokens);
  void add_sequence(std::span<const int64_t> tokens);
  // Elements in the dtype of the file.
  void add_raw(std::span<const std::byte> elements);
  // Ends the document that began after the last end_document(); it may hold no sequence.
  void end_document();
  // Appends all sequences and documents of a finished pair of the same dtype.
  void add_file(const std::string& prefix);
  // Completes the pair; ends the last document if sequences were added since.
  void finish();

  uint64_t sequences() const { return sequences_; }
  uint64_t documents() const { return documents_; }
  uint64_t elements() const { return bin_.size() / size_of(dtype_); }

 private:
  template <class T>
  void add_tokens(std::span<const T> tokens);
  void add_length(uint64_t elements);

  std::string prefix_;
  DType dtype_;
  AtomicFile bin_, idx_;
  Spool lengths_, document_ends_;
  uint64_t sequences_ = 0, documents_ = 0;
  uint64_t ended_ = 0;  // sequences that belong to an ended document
  std::string scratch_;
};

}  // namespace mindspeed
