// Megatron's token files: PREFIX.bin holds the elements of all sequences one after the other, PREFIX.idx says
// where each sequence and document begins. Source: megatron/core/datasets/indexed_dataset.py of megatron-core
// 0.12.
//   .idx, little-endian: "MMIDIDX\0\0", u64 version 1, u8 dtype code, u64 S, u64 D, i32 length[S] (elements),
//   i64 pointer[S] (bytes into .bin), i64 document[D] (sequence numbers; document d is [document[d],
//   document[d + 1])), and for multimodal sets i8 mode[S].
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "front/base/dtype.h"
#include "front/base/file.h"

namespace mindspeed {

// A finished pair, memory-mapped. The constructor checks the whole .idx and the size of the .bin; it throws
// Error with the fault: missing file, magic, version, dtype, truncated .idx or .bin, a pair that does not
// belong together.
class IndexedDataset {
 public:
  explicit IndexedDataset(const std::string& prefix);

  const std::string& prefix() const { return prefix_; }
  DType dtype() const { return dtype_; }
  size_t sequences() const { return lengths_.size(); }
  size_t documents() const { return document_count_ - 1; }
  // Elements of every sequence.
  std::span<const int32_t> sequence_lengths() const { return lengths_; }
  // Byte offset of a sequence in the .bin.
  int64_t pointer(size_t sequence) const;
  // Entry d of the document table, d in [0, documents()].
  int64_t document_index(size_t d) const;
  std::vector<int64_t> document_indices() const;

  // Copies elements [offset, offset + out.size()) of a sequence. Throws Error when they leave the sequence,
  // when the elements are floats, or when one does not fit int32.
  void read(size_t sequence, size_t offset, std::span<int64_t> out) const;
  void read(size_t sequence, size_t offset, std::span<int32_t> out) const;
  // The stored bytes of a sequence.
  std::span<const std::byte> bytes(size_t sequence) const;
  std::span<const std::byte> all_bytes() const { return bin_.bytes(); }

 private:
  struct Part {
    const std::byte* first;
    size_t count;
  };
  Part part(size_t sequence, size_t offset, size_t count) const;
  void read_header();
  void check_sequences() const;
  void check_documents() const;

  std::string prefix_;
  MappedFile idx_, bin_;
  DType dtype_ = DType::i32;
  std::vector<int32_t> lengths_;
  size_t document_count_ = 0;                    // entries of the document table
  uint64_t pointers_at_ = 0, documents_at_ = 0;  // bytes into the .idx
};

// The element type that Megatron's preprocessing picks: u16 below 65500 ids, else i32.
DType token_dtype(int64_t vocabulary);

}  // namespace mindspeed
