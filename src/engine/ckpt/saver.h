// Saving native checkpoints of a distributed run.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "engine/ckpt/state_piece.h"
#include "front/formats/checkpoint/folder.h"
#include "front/formats/checkpoint/shard_saver.h"

namespace mindspeed {

// Every rank writes the pieces that it saves into <root>/iter_NNNNNNN; when all have, rank 0 completes the
// checkpoint, moves the pointer and deletes old ones beyond `keep_last`. If any rank fails, all throw Error
// and the earlier checkpoints are untouched. In the background, training goes on meanwhile: the state is
// copied during the next forward and backward passes (Mohan et al., CheckFreq, FAST 2021) and written from
// the copy. The copy takes as much memory as the state.
class CheckpointSaver {
 public:
  CheckpointSaver(fs::path root, const Mesh& mesh, int keep_last, bool background);

  // Collective. Ends a save that is still under way, then begins the next; in the foreground it also finishes
  // it.
  void start(CheckpointState state, const std::vector<StatePiece>& pieces);
  // Of this rank alone: returns when the values of the pieces may change.
  void before_update();
  // Collective while one is under way. Takes a save as far as it goes without waiting; true when it is
  // complete.
  bool advance();
  // Collective while one is under way: completes it.
  void finish();

  bool under_way() const { return phase_ != Phase::idle; }
  // Seconds for which the last save held this rank up.
  double stalled_seconds() const { return stalled_; }

 private:
  enum class Phase { idle, writing, publishing };
  void publish();
  void end_writing();
  void complete();

  fs::path root_;
  const Mesh mesh_;
  int keep_last_;
  bool background_;
  Phase phase_ = Phase::idle;
  CheckpointState state_;
  ShardSaver shard_;
  std::future<void> published_;  // rank 0, in the background
  double stalled_ = 0.0;
};

}  // namespace mindspeed
