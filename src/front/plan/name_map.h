// How the tensors of an outside format make up our parameters: a list of invertible moves, as plain data.
// Families (front/models) write it, sources and sinks (front/convert) carry it out in both directions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mindspeed {

// What happens to a piece between the outside tensor and our rows of it. Every move has an exact inverse.
enum class Move {
  copy,              // same rows, same order
  transpose,         // outside [C, R], ours [R, C]
  interleaved_rope,  // rows of a head: outside row 2i + j is our row i + j * head_dim / 2 (GGUF's llama q and
                     // k)
};

struct Piece {
  std::string outside;  // name of the outside tensor, which is used whole
  std::string segment;  // segment of dimension 0 of our parameter that it fills; empty = the whole parameter
  Move move = Move::copy;
  int64_t head_dim = 0;  // interleaved_rope: rows per head
};

// One of our parameters. The pieces fill every segment exactly once.
struct ParameterMap {
  std::string name;
  std::vector<Piece> pieces;
};

struct NameMap {
  std::vector<ParameterMap> parameters;  // one per row of the parameter table, tied ones included
  std::vector<std::string> order;    // outside names in the reference library's order (it decides the shards)
  std::vector<std::string> ignored;  // endings of outside names that carry no information of their own
};

}  // namespace mindspeed
