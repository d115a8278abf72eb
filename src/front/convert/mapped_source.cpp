#include "front/convert/mapped_source.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "front/base/error.h"
#include "front/base/text.h"
#include "front/convert/moves.h"

namespace mindspeed {
namespace {

bool is_float(DType dtype) {
  return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

using Infos = std::map<std::string, TensorInfo, std::less<>>;

Infos by_name(const std::vector<TensorInfo>& list) {
  Infos infos;
  for (const TensorInfo& info : list) infos.emplace(info.name, info);
  return infos;
}

// What is wrong with a source, gathered so that one message names it all.
struct Faults {
  std::vector<std::string> missing, extra, shapes, types, tied;

  void throw_if_any(const std::string& origin) const {
    std::vector<std::string> parts;
    const auto add = [&](const char* what, const std::vector<std::string>& names) {
      if (!names.empty()) parts.push_back(fmt::format("{} {}: {}", names.size(), what, join(names, ", ")));
    };
    add("missing", missing);
    add("unexpected", extra);
    add("of another shape", shapes);
    add("of an unusable type", types);
    add("tied but different", tied);
    if (!parts.empty())
      fail("weights", "{}: the tensors do not fit config.json; {}. Nothing was loaded", origin,
           join(parts, "; "));
  }
};

// Checks one outside tensor against its piece. Returns its entry, or nullptr when absent.
const TensorInfo* check_piece(const ParameterSpec& p, const Piece& piece, const Infos& infos,
                              Faults& faults) {
  const auto it = infos.find(piece.outside);
  if (it == infos.end()) return nullptr;
  const std::vector<int64_t> needed = outside_shape(p, piece);
  if (it->second.shape != needed)
    faults.shapes.push_back(fmt::format("{} is {}, needed {}", piece.outside, format_shape(it->second.shape),
                                        format_shape(needed)));
  if (!is_float(it->second.dtype))
    faults.types.push_back(fmt::format("{} is {}", piece.outside, display_name(it->second.dtype)));
  return &it->second;
}

DType wider(DType a, DType b) {
  if (a == b) return a;
  return size_of(a) == 2 && size_of(b) == 2 ? DType::f32 : (size_of(a) > size_of(b) ? a : b);
}

// Rows of `box` that lie in `segment`, as a box of our parameter.
Box within(const Box& box, const Segment& segment) {
  Box part = box;
  part.start[0] = std::max(box.start[0], segment.offset);
  part.size[0] = std::max<int64_t>(
      0, std::min(box.start[0] + box.size[0], segment.offset + segment.size) - part.start[0]);
  return part;
}

void check_box(const ParameterSpec& p, const Box& box, DType as, size_t bytes) {
  bool inside = box.start.size() == p.shape.size() && box.size.size() == p.shape.size();
  for (size_t i = 0; inside && i < p.shape.size(); ++i)
    inside = box.start[i] >= 0 && box.size[i] >= 0 && box.start[i] <= p.shape[i] - box.size[i];
  if (!inside)
    fail("weights", "{}: box at {} of size {} is outside shape {}", p.name, format_shape(box.start),
         format_shape(box.size), format_shape(p.shape));
  if (bytes != static_cast<size_t>(box.elements()) * size_of(as))
    throw std::logic_error("TensorSource::read: size of the output for " + p.name);
}

// Compares a tied tensor with its original in row blocks. Sizes and types have been checked.
bool same_tensor(const OutsideTensors& tensors, const TensorInfo& a, const TensorInfo& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  const int64_t columns = a.shape.size() > 1 ? a.shape[1] : 1;
  const int64_t rows = std::max<int64_t>(1, (int64_t{1} << 20) / std::max<int64_t>(1, columns));
  std::vector<std::byte> x, y;
  for (int64_t start = 0; start < a.shape[0]; start += rows) {
    Box box = whole(a.shape);
    box.start[0] = start;
    box.size[0] = std::min(rows, a.shape[0] - start);
    x.resize(static_cast<size_t>(box.elements()) * size_of(a.dtype));
    y.resize(x.size());
    tensors.read(a.name, box, a.dtype, x);
    tensors.read(b.name, box, b.dtype, y);
    if (x != y) return false;
  }
  return true;
}

// Pieces by their first row. std::logic_error if they leave rows out or overlap.
std::vector<Piece> in_row_order(const ParameterSpec& p, std::vector<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(), [&](const Piece& a, const Piece& b) {
    return segment_of(p, a).offset < segment_of(p, b).offset;
  });
  int64_t next = 0;
  for (const Piece& piece : pieces) {
    const Segment segment = segment_of(p, piece);
    if (segment.offset != next) throw std::logic_error("name map: the pieces do not fill " + p.name);
    next += segment.size;
  }
  if (next != p.shape[0]) throw std::logic_error("name map: the pieces do not fill " + p.name);
  return pieces;
}

}  // namespace

MappedSource::MappedSource(std::unique_ptr<OutsideTensors> tensors, NameMap map,
                           std::vector<ParameterSpec> table, SourceOptions options)
    : tensors_(std::move(tensors)), options_(options) {
  std::map<std::string, std::vector<Piece>> pieces;
  for (ParameterMap& p : map.parameters) pieces.emplace(std::move(p.name), std::move(p.pieces));

  const Infos infos = by_name(tensors_->list());
  Infos unclaimed = infos;
  Faults faults;
  std::vector<std::pair<const TensorInfo*, std::string>> heads;  // present although tied, and to what
  for (ParameterSpec& p : table) {
    const auto found = pieces.find(p.name);
    if (found == pieces.end()) throw std::logic_error("name map: no entry for " + p.name);
    TensorInfo ours{p.name, DType::f32, p.shape};
    bool first = true;
    for (const Piece& piece : found->second) {
      const TensorInfo* info = check_piece(p, piece, infos, faults);
      unclaimed.erase(piece.outside);
      if (info == nullptr && p.tied_to.empty()) faults.missing.push_back(piece.outside);
      if (info != nullptr && !p.tied_to.empty())
        heads.emplace_back(info, pieces.at(p.tied_to).front().outside);
      if (info != nullptr) ours.dtype = first ? info->dtype : wider(ours.dtype, info->dtype);
      first = first && info == nullptr;
    }
    if (p.tied_to.empty()) list_.push_back(ours);
    Entry entry{p, in_row_order(p, found->second)};
    entries_.emplace(p.name, std::move(entry));
  }
  for (const auto& [name, info] : unclaimed)
    if (std::none_of(map.ignored.begin(), map.ignored.end(),
                     [&name = name](const std::string& end) { return name.ends_with(end); }))
      faults.extra.push_back(name);
  if (faults.shapes.empty() && faults.types.empty() && faults.missing.empty())
    for (const auto& [head, original] : heads)
      if (!same_tensor(*tensors_, *head, infos.at(original)))
        faults.tied.push_back(
            fmt::format("{} differs from {} although tie_word_embeddings is true", head->name, original));
  faults.throw_if_any(tensors_->origin());
}

const MappedSource::Entry& MappedSource::entry(std::string_view name) const {
  const auto it = entries_.find(name);
  if (it == entries_.end())
    fail("weights", "{}: the model has no parameter \"{}\"", tensors_->origin(), name);
  const std::string& tied_to = it->second.parameter.tied_to;
  return tied_to.empty() ? it->second : entry(tied_to);
}

void MappedSource::read(std::string_view name, const Box& box, DType as, std::span<std::byte> out) const {
  const Entry& e = entry(name);
  check_box(e.parameter, box, as, out.size());
  read_entry(e, box, as, out);
  // A narrower type can turn a finite value into infinity: that is an error as well.
  if (options_.check_finite && first_non_finite(out, as)) fail_non_finite();
}

void MappedSource::read_entry(const Entry& e, const Box& box, DType as, std::span<std::byte> out) const {
  size_t at = 0;  // rows of `box` come in the order of the pieces, which is that of the segments
  const size_t row = box.size[0] == 0 ? 0 : out.size() / static_cast<size_t>(box.size[0]);
  for (const Piece& piece : e.pieces) {
    const Box part = within(box, segment_of(e.parameter, piece));
    if (part.elements() == 0) continue;
    const size_t bytes = static_cast<size_t>(part.size[0]) * row;
    read_through(
        e.parameter, piece, part, size_of(as),
        [&](const Box& outside, std::span<std::byte> target) {
          tensors_->read(piece.outside, outside, as, target);
        },
        out.subspan(at, bytes));
    at += bytes;
  }
  if (at != out.size()) throw std::logic_error("name map: the pieces do not fill " + e.parameter.name);
}

void MappedSource::fail_non_finite() const {
  std::vector<std::string> bad;
  for (const auto& [name, e] : entries_) {
    if (!e.parameter.tied_to.empty()) continue;
    for (const Piece& piece : e.pieces) {
      const std::vector<int64_t> shape = outside_shape(e.parameter, piece);
      std::vector<std::byte> bytes(static_cast<size_t>(whole(shape).elements()) * sizeof(float));
      tensors_->read(piece.outside, whole(shape), DType::f32, bytes);
      const std::optional<size_t> at = first_non_finite(bytes, DType::f32);
      if (!at) continue;
      float value = 0;
      std::memcpy(&value, &bytes[*at * sizeof(float)], sizeof(float));
      bad.push_back(fmt::format("{} (first at element {}: {})", piece.outside, *at, value));
    }
  }
  if (bad.empty())
    fail("weights", "{}: values too large for the chosen type; load as bf16 or fp32", tensors_->origin());
  fail("weights",
       "{}: {} tensors hold NaN or infinity: {}. The file is damaged or the training that wrote it diverged",
       tensors_->origin(), bad.size(), join(bad, ", "));
}

}  // namespace mindspeed
