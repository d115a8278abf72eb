#!/usr/bin/env bash
# Compares our training step with transformers eager (fp32, CPU), both in the same minutes on this machine: the two take
# turns, medians over the turns are compared. Prints a table and writes bench/out/summary.json.
#   make bench-setup && make bench          ROUNDS=3 STEPS=6 BATCH=2
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-3} steps=${STEPS:-6} batch=${BATCH:-2}
[ -e bench/.venv/mindspeed-bench-1 ] || { echo "[bench] the peer is missing: run make bench-setup first" >&2; exit 1; }
mkdir -p bench/out
rm -f bench/out/*.jsonl

ours() {  # name preset
  local log=bench/out/run.jsonl
  rm -f "$log"
  /usr/bin/env time -f '%M' -o bench/out/rss "${BUILD:-build/release}/bin/mindspeed" pretrain --preset "$2" --mock-data --seq-length 512 \
    --micro-batch-size "$batch" --global-batch-size "$batch" --train-iters "$steps" --lr 1e-4 --log-jsonl "$log" \
    --eval-iters 0 >bench/out/run.log 2>&1 || { cat bench/out/run.log >&2; exit 1; }
  python3 bench/collect.py ours "$log" bench/out/rss >> "bench/out/$1.ours.jsonl"
}
for name in smollm2 qwen3_80m; do
  preset=$([ "$name" = smollm2 ] && echo smollm2-135m || echo qwen3-80m)
  for ((round = 0; round < rounds; round++)); do
    echo "[bench] $name, round $((round + 1)) of $rounds"
    ours "$name" "$preset"
    bench/.venv/bin/python bench/peer_step.py "$name" --batch "$batch" --steps "$steps" 2>/dev/null >> "bench/out/$name.peer.jsonl"
  done
done
python3 bench/collect.py summary bench/out
